import {
  BASELINE_WARNINGS,
  differingParts,
  type Environment,
  listSome,
  nameShot,
  renderCountOf,
  type ShotRecord,
} from '../model/index.js';
import { groupBy } from './group-by.js';

/**
 * Returns the notices about environment mismatches, one for all shots with the same mismatch. Skips shots that are equal to their
 * baseline, because the mismatch has no effect, and shots whose baseline this run wrote.
 */
export function renderEnvironmentNotices(shots: readonly ShotRecord[]): string[] {
  return listForShots(shots, renderEnvironmentNotice).map(({ text }) => text);
}

/**
 * Lists these notices and the warnings, one for all shots with the same warning: first those about comparisons and baselines, then those of most
 * shots. `isOfWritten`: this run wrote the baseline of one of its shots.
 */
export function listRunWarnings(shots: readonly ShotRecord[]) {
  const first: readonly string[] = [...Object.values(COMPARISON_WARNINGS), ...Object.values(BASELINE_WARNINGS)];
  const warningsOf = (isFirst: boolean) => (shot: ShotRecord) =>
    shot.warnings.flatMap(({ code, message }) => (first.includes(code) === isFirst ? [message] : []));
  return [
    ...listForShots(shots, renderEnvironmentNotice),
    ...listForShots(shots, warningsOf(true)),
    ...listForShots(shots, warningsOf(false)),
  ];
}

function listForShots(
  shots: readonly ShotRecord[],
  noticesOf: (shot: ShotRecord) => readonly string[] | string | null,
) {
  const notices = shots.flatMap((shot) => [noticesOf(shot) ?? []].flat().map((notice) => ({ notice, shot })));
  return [...groupBy(notices, ({ notice }) => notice)]
    .map(([notice, group]) => ({
      notice,
      names: [...new Set(group.map(({ shot }) => nameShot(shot)))],
      isOfWritten: group.some(({ shot }) => shot.written),
    }))
    .sort((one, other) => other.names.length - one.names.length)
    .map(({ notice, names, isOfWritten }) => ({
      text: `${notice} (${renderCountOf(names.length, 'shot')}: ${listSome(names, 5)})`,
      isOfWritten,
    }));
}

/** Returns the environment notice of one shot, without its name; null if it has none. */
export function renderEnvironmentNotice(shot: ShotRecord): string | null {
  const { baseline, environment, summary, written, redrawn } = shot;
  const madeIn = baseline?.environment;
  if (!madeIn || !environment || !summary || written) return null;
  if (summary.mismatchPixels + summary.antialiasedPixels === 0) return null;
  const parts = differingParts(madeIn, environment);
  if (parts.length === 0) return null;
  const what = parts.every((part) => part === 'engine') ? 'pixel counts may differ' : EFFECTS[redrawn ?? 'unknown'];
  return `environment mismatch: baselines from ${renderEnvironment(madeIn, parts)}; this run used ${renderEnvironment(environment, parts)}; ${what}`;
}

/** Renders the browser and the operating system of an environment, and the given other parts. */
export function renderEnvironment(environment: Environment, parts: readonly (keyof Environment)[]): string {
  const { browser, browserVersion, os, arch, headless, scale, driver, fonts, drawing, engine } = environment;
  const details = {
    headless: HEADLESS[headless],
    scale: `scale ${scale}`,
    driver: driver === 'frames' ? 'controlled frames' : 'the plain driver',
    fonts: `fonts ${fonts}`,
    drawing: `glyphs ${drawing}`,
    engine,
  };
  const selected = Object.entries(details).filter(([part]) => parts.some((name) => name === part));
  return [`${browser} ${browserVersion} on ${os}/${arch}`, ...selected.map(([, text]) => text)].join(', ');
}

const EFFECTS = {
  compared: 'the pages are the same, and drawn differently',
  'not-compared':
    'the pages are the same, and drawn differently; texts have other sizes, so places and sizes were not compared',
  unknown: 'rendering may differ',
};

const HEADLESS = { shell: 'headless shell', new: 'new headless', headed: 'headed', unknown: 'unknown headless mode' };

/** Codes of warnings about comparisons that find fewer differences than expected, or more than in the previous run. */
export const COMPARISON_WARNINGS = {
  fewCompared: 'few-pixels-compared',
  masksGrown: 'masks-grown',
  masksDropped: 'masks-dropped',
  limitTooLarge: 'limit-too-large',
} as const;
