import { adviseName, readStoryParameters } from '../list/index.js';
import { type CaptureSettings, ProofsheetError, type Shot, type StoryParameters } from '../model/index.js';

/** A shot whose story may set fields for itself. They are known once the story is loaded. */
export interface StoryShot {
  /** Returns the shot with the fields of its story, as far as they are known. */
  current(): Shot;
  /** Returns why the story leaves the shot out; null if it does not. */
  skipReason(): string | null;
  /**
   * Takes `parameters.proofsheet` of the story. Returns the settings of the capture that it changes.
   *
   * @throws ProofsheetError `options-invalid`; Error if the story leaves the shot out.
   */
  take(parameters: unknown): Partial<CaptureSettings>;
  /** Does the same for the story before a change. It decides neither the limits nor whether the shot is tested. */
  takeImageOnly(parameters: unknown): Partial<CaptureSettings>;
}

/** Creates the shot of a story. Another page has no parameters, so its shot never changes. */
export function createStoryShot(shot: Shot): StoryShot {
  let current = shot;
  let reason: string | null = null;
  return {
    current: () => current,
    skipReason: () => reason,
    take(parameters) {
      const own = readOwn(shot, parameters);
      reason = own.skip ?? leftOut('viewport', shot.viewport, own.viewports) ?? leftOut('mode', shot.mode, own.modes);
      if (reason !== null) throw new Error('the story leaves the shot out');
      const { threshold = shot.compare.threshold } = own;
      current = { ...shot, compare: { ...shot.compare, threshold } };
      return captureSettingsOf(own);
    },
    takeImageOnly: (parameters) => captureSettingsOf(readOwn(shot, parameters)),
  };
}

function captureSettingsOf({ delay, element, fullSize }: StoryParameters): Partial<CaptureSettings> {
  const choosesArea = element !== undefined || fullSize !== undefined;
  return {
    ...(delay !== undefined && { delayMs: Math.round(delay * 1000) }),
    ...(choosesArea && { element: element ?? null, fullSize: element === undefined && fullSize === true }),
    ...(choosesArea && { cropsStory: false }),
  };
}

function readOwn({ capture: { story, format } }: Shot, parameters: unknown): StoryParameters {
  const where = `parameters.proofsheet of the story "${story?.id}"`;
  const own = readStoryParameters(parameters, format, where);
  for (const field of ['viewports', 'modes'] as const) {
    const known = story?.[field] ?? [];
    const name = own[field]?.find((one) => !known.includes(one));
    if (name === undefined) continue;
    throw new ProofsheetError({
      code: 'options-invalid',
      where,
      found: `\`${field}\` has "${name}", which the page list does not name`,
      advice: known.length > 0 ? adviseName(name, known) : `Define it under \`${field}\` in the page list.`,
    });
  }
  return own;
}

function leftOut(noun: 'viewport' | 'mode', name: string | null, chosen: readonly string[] | undefined): string | null {
  if (name === null || chosen === undefined || chosen.includes(name)) return null;
  return `the story is captured only in the ${noun}${chosen.length > 1 ? 's' : ''} ${chosen.join(', ')}`;
}
