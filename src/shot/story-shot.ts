import { adviseName, readStoryParameters } from '../list/index.js';
import { type CaptureSettings, ProofsheetError, type Shot, type StoryParameters } from '../model/index.js';

/**
 * Applies `parameters.proofsheet` of a story to its shot. They are known once the story is loaded.
 *
 * @returns the shot with the limits of the story, the settings of the capture that the story changes, and why it leaves the shot out
 * @throws ProofsheetError `options-invalid`
 */
export function applyStory(listed: Shot, parameters: unknown) {
  const own = readOwn(listed, parameters);
  const { threshold = listed.compare.threshold } = own;
  const skipReason =
    own.skip ?? leftOut('viewport', listed.viewport, own.viewports) ?? leftOut('mode', listed.mode, own.modes);
  return {
    shot: { ...listed, compare: { ...listed.compare, threshold } },
    settings: captureSettingsOf(own),
    skipReason,
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
