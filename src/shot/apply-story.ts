import { adviseName, readStoryParameters } from '../list/index.js';
import { type CaptureSettings, ProofsheetError, type Shot, type StoryParameters } from '../model/index.js';

/**
 * Applies `parameters.proofsheet` of a story to its shot. They are known once the story is loaded.
 *
 * @returns the limits of the shot, the settings of the capture that the story changes, and why it leaves the shot out
 * @throws ProofsheetError `options-invalid`
 */
export function applyStory(given: Shot, parameters: unknown) {
  const { story, format } = given.capture;
  const where = `parameters.proofsheet of the story "${story?.id}"`;
  const own = readStoryParameters(parameters, format, where);
  const { threshold = given.compare.threshold, skip = null } = own;
  const nouns = ['viewport', 'mode'] as const;
  const leftOut = nouns.map((noun) => leaveOut(noun, given, own[`${noun}s` as const], where));
  return {
    compare: { ...given.compare, threshold },
    settings: captureSettingsOf(own),
    skipReason: skip ?? leftOut.find((reason) => reason !== null) ?? null,
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

/** Returns why a shot is not among the viewports or modes that its story chose; null if it is. */
function leaveOut(
  noun: 'viewport' | 'mode',
  { [noun]: name, capture: { story } }: Shot,
  chosen: readonly string[] | undefined,
  where: string,
): string | null {
  const known = story?.[`${noun}s` as const] ?? [];
  const unknown = chosen?.find((one) => !known.includes(one));
  if (unknown !== undefined)
    throw new ProofsheetError({
      code: 'options-invalid',
      where,
      found: `\`${noun}s\` has "${unknown}", which the page list does not name`,
      advice: known.length > 0 ? adviseName(unknown, known) : `Define it under \`${noun}s\` in the page list.`,
    });
  if (name === null || chosen === undefined || chosen.includes(name)) return null;
  return `the story is captured only in the ${noun}${chosen.length > 1 ? 's' : ''} ${chosen.join(', ')}`;
}
