import { differingParts, type Environment } from '../../model/environment.js';
import { nameShot } from '../../model/plain-text.js';
import type { ShotRecord } from '../../model/run-record.js';
import { listSome, renderCountOf } from '../../model/words.js';

/**
 * Says, once for all shots that it is true of, that their baselines were made in another environment than the run's. A
 * shot that is equal to its baseline shows that nothing came of it, and is not told of; nor is one whose baseline this run
 * wrote.
 */
export function renderEnvironmentNotices(shots: readonly ShotRecord[]): string[] {
  const byNotice = new Map<string, string[]>();
  for (const shot of shots) {
    const notice = renderEnvironmentNotice(shot);
    if (notice !== null) byNotice.set(notice, [...(byNotice.get(notice) ?? []), nameShot(shot)]);
  }
  return [...byNotice].map(
    ([notice, names]) => `${notice} (${renderCountOf(names.length, 'shot')}: ${listSome(names, 5)})`,
  );
}

/** Says it of one shot, without naming it; null where there is nothing to be said. */
export function renderEnvironmentNotice({ baseline, environment, summary, written }: ShotRecord): string | null {
  const madeIn = baseline?.environment;
  if (!madeIn || !environment || !summary || written) return null;
  if (summary.mismatchPixels + summary.antialiasedPixels === 0) return null;
  const parts = differingParts(madeIn, environment);
  if (parts.length === 0) return null;
  const what = parts.every((part) => part === 'engine') ? 'counts' : 'rendering';
  return `baselines were made with ${renderEnvironment(madeIn, parts)}, this run with ${renderEnvironment(environment, parts)}: ${what} may differ`;
}

/** Renders the browser and its system, and of the rest of an environment the parts that are asked for. */
export function renderEnvironment(environment: Environment, parts: readonly (keyof Environment)[]): string {
  const { browser, browserVersion, os, arch, headless, scale, fonts, engine } = environment;
  const details = { headless: HEADLESS[headless], scale: `scale ${scale}`, fonts: `fonts ${fonts}`, engine };
  const told = Object.entries(details).filter(([part]) => parts.some((asked) => asked === part));
  return [`${browser} ${browserVersion} on ${os}/${arch}`, ...told.map(([, text]) => text)].join(', ');
}

const HEADLESS = { shell: 'headless shell', new: 'new headless', headed: 'headed', unknown: 'headless unknown' };

/** The codes of the warnings that a comparison finds less than one would think, or more than in the run before. */
export const COMPARISON_WARNINGS = {
  fewCompared: 'few-pixels-compared',
  masksGrown: 'masks-grown',
  masksDropped: 'masks-dropped',
  limitTooLarge: 'limit-too-large',
} as const;

/** Says what weakens comparisons, or makes them other than their baselines' own, each once for all shots it is true of. */
export function renderComparisonNotices(shots: readonly ShotRecord[]): string[] {
  const codes: ReadonlySet<string> = new Set(Object.values(COMPARISON_WARNINGS));
  const byMessage = new Map<string, Set<string>>();
  for (const shot of shots) {
    for (const { message } of shot.warnings.filter(({ code }) => codes.has(code))) {
      byMessage.set(message, (byMessage.get(message) ?? new Set()).add(nameShot(shot)));
    }
  }
  return [...byMessage].map(
    ([message, names]) => `${message} (${renderCountOf(names.size, 'shot')}: ${listSome([...names], 5)})`,
  );
}
