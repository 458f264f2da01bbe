import {
  type Capture,
  failure,
  type ProofsheetError,
  renderPercentage,
  type Shot,
  type ShotRecord,
  type Timings,
  withoutCredentials,
} from '../model/index.js';
import { renderEnvironment, renderReason } from '../report/index.js';
import { baselineOf, captureOf, isCompared, isGreenOutcome, type Outcome, type ShotProblem } from './decide.js';
import { causesOf, changeFieldsOf, changeOf, describeFindings } from './findings.js';
import { NO_IMAGES, type ShotImage, type ShotImages } from './images.js';
import type { Redact } from './redact.js';
import type { ReuseNotes } from './reused-shot.js';

interface RecordContext {
  readonly project: string;
  readonly durationMs: number;
  readonly timings: Timings;
  /** The path of the baseline for display. */
  readonly path: string;
  /** SHA-256 of the baseline that the run wrote, even if the shot failed afterwards; null if it wrote none. */
  readonly written: string | null;
  /** The outcomes of the loads that differ from this one. */
  readonly differing: readonly Outcome[];
  readonly notes: ReuseNotes;
  readonly redact: Redact;
}

/**
 * Builds the record of a shot: the only input of the report, the summary, the failure message and `approve`. Each text of the page is redacted
 * here, so none of them redacts anything.
 */
export function buildRecord(shot: Shot, outcome: Outcome, images: ShotImages, context: RecordContext): ShotRecord {
  const { id, page, viewport, mode, state } = shot;
  const { project, durationMs, timings, path, written, differing, notes, redact } = context;
  const url = redact(withoutCredentials(shot.after.url));
  const isLoaded = outcome.status !== 'skipped' && outcome.status !== 'reused';
  const baseline = baselineOf(outcome);
  const described = describeOutcome(shot, outcome, images, context);
  return {
    ...{ id, page, viewport, mode, state, project, url },
    ...described,
    ...(notes.notReusable !== undefined && { notReusable: redact(notes.notReusable) }),
    ...(notes.missed !== undefined && {
      reason: described.reason === null ? notes.missed : `${described.reason}; ${notes.missed}`,
      warnings: [...described.warnings, { code: 'reuse-incomplete', message: notes.missed }],
    }),
    flaky: false,
    reused: outcome.status === 'reused',
    attempts: differing.map((load) => {
      const { status, reason } = describeOutcome(shot, load, NO_IMAGES, { ...context, differing: [] });
      return { status, ...(reason !== null && { reason }) };
    }),
    durationMs,
    ...(isLoaded && { timings }),
    diff: images.diff && { link: images.diff.link, ...images.diff.size },
    capture: outcome.status === 'skipped' ? null : describeCapture(url, outcome, images.after, described.reason),
    // A two-state shot has no baseline to approve.
    baseline: shot.before
      ? null
      : { path, sha256: baseline?.sha256 ?? written, environment: baseline?.record?.environment ?? null },
    group: null,
    decision: null,
  };
}

function describeOutcome(shot: Shot, outcome: Outcome, images: ShotImages, context: RecordContext) {
  const { redact } = context;
  const causes = causesOf(outcome, redact);
  const before = isCompared(outcome) ? outcome.before : null;
  const redraw = before?.kind === 'baseline' ? before.redraw : null;
  const described = {
    status: outcome.status === 'reused' ? 'passed' : outcome.status,
    unsteady: context.differing.length > 0 || (outcome.status === 'unstable' && outcome.by !== 'time'),
    written: context.written !== null,
    ...describeFindings(outcome, shot.compare, redact),
    ...changeFieldsOf(changeOf(outcome)),
    ...(redraw?.kind === 'redrawn' && { redrawn: redraw.layout }),
    ...(causes && { causes }),
    before: describeImage(images.before, redact),
    after: describeImage(images.after, redact),
  } as const;
  if (outcome.status === 'error') return { ...described, reason: redact(errorOf(outcome.problem, shot).message) };
  const isFine = isGreenOutcome(outcome) && outcome.status !== 'skipped';
  const given = outcome.status === 'skipped' ? outcome.reason : null;
  const reason = isFine ? null : renderReason({ ...described, reason: given });
  return { ...described, reason: reason && redact(reason) };
}

function errorOf(problem: ShotProblem, { after: { url }, verdict }: Shot): ProofsheetError {
  switch (problem.kind) {
    case 'failed':
      return problem.error;
    case 'warning':
      return failure(
        'page-warning',
        problem.url,
        `${problem.message} (\`strict\` makes this warning an error)`,
        'Fix the page, or remove `strict`.',
      );
    case 'environment': {
      const { baseline, current, parts } = problem;
      return failure(
        'baseline-environment',
        url,
        `the baseline was captured with ${renderEnvironment(baseline, parts)}, but this run uses ${renderEnvironment(current, parts)} (\`environment: fail\`)`,
        'Run in the environment of the baselines, or update them in this environment: npx playwright test --update-snapshots',
      );
    }
    case 'masked':
    case 'masked-baseline': {
      const isByBaseline = problem.kind === 'masked-baseline';
      const share = `\`mask\` and \`ignore\` leave ${renderPercentage(100 * problem.compared)} of the pixels to compare; expected at least ${renderPercentage(100 * verdict.minCompared)}`;
      return failure(
        'page-masked',
        url,
        isByBaseline ? `${share} (with the areas stored in the baseline)` : share,
        isByBaseline
          ? 'Check the page, then update the baseline: npx playwright test --update-snapshots'
          : 'Use smaller `mask` and `ignore` areas, or set a lower `minCompared`.',
      );
    }
    default:
      return problem satisfies never;
  }
}

function describeImage(image: ShotImage | null, redact: Redact) {
  return (
    image && {
      ...{ link: image.link, ...image.size, source: redact(withoutCredentials(image.source)) },
      ...(image.sha256 !== undefined && { sha256: image.sha256 }),
    }
  );
}

function describeCapture(
  url: string,
  outcome: Outcome,
  image: ShotImage | null,
  reason: string | null,
): NonNullable<ShotRecord['capture']> {
  if (outcome.status === 'reused')
    return { status: 'success', ...outcome.stored.capture, message: REUSED, url, link: image?.link ?? null };
  const capture = captureOf(outcome);
  return {
    status: capture ? 'success' : 'error',
    fetchTime: new Date(capture?.takenAt ?? Date.now()).toISOString(),
    message: capture ? formatAttempts(capture, outcome) : (reason ?? ''),
    url,
    width: capture?.viewport.width ?? null,
    height: capture?.viewport.height ?? null,
    link: (capture && image?.link) ?? null,
  };
}

const REUSED = 'Not captured again: the files of the page have not changed since then.';

function formatAttempts({ attempts }: Capture, { status }: Outcome): string {
  if (attempts === 1) return 'Captured.';
  return `The page was ${status === 'unstable' ? 'not ' : ''}stable after ${attempts} screenshots.`;
}
