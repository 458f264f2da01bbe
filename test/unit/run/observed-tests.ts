import type { DeclaredShot, Origin, ShotMessage, ShotRecord } from '../../../src/model/run-record.js';
import { collectRun } from '../../../src/run/collect.js';
import type { ObservedAttempt, ObservedTest, RunFacts, Shard } from '../../../src/run/observed-run.js';
import { shotOf } from '../report/specimens.js';

/** What the reporter sees at the end of a run that finished. */
function inputOf(tests: readonly ObservedTest[], changes: Partial<RunFacts> = {}): RunFacts {
  const times = { startedAt: new Date('2026-11-20T12:00:00Z'), durationMs: 9_512 };
  const ending = { kind: 'finished', error: null } as const;
  const rest = { version: '0.1.0', selected: [], shard: null, commit: null, mergedShards: null, problems: [] };
  return { ...times, ending, tests, ...rest, ...changes };
}

export function collect(...args: Parameters<typeof inputOf>) {
  const collected = collectRun(inputOf(...args));
  return { ...collected, problems: collected.run.run.problems };
}

/** The test of a listed shot: one attempt that ended with this status, and what is to be otherwise. */
export function listed(
  id: string,
  status: ShotRecord['status'] = 'passed',
  changes: Partial<ObservedTest> = {},
): ObservedTest {
  const project = changes.project ?? 'chromium';
  return testOf({ title: id, declared: declaredOf(id), attempts: [compared([{ id, project, status }])], ...changes });
}

/** A test of the user's own. */
export function testOf(changes: Partial<ObservedTest>): ObservedTest {
  const { attempts = [] } = changes;
  const failed = attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'failed' || outcome === 'timedOut');
  const place = { project: 'chromium', title: 'a test', location: 'visual.spec.ts:3', repeat: 0 };
  return { ...place, declared: null, skipped: null, failed, ...changes, attempts };
}

/** An attempt that compared these shots; it passed when all of them did. */
export function compared(shots: readonly Partial<ShotRecord>[], origin: Partial<Origin> = {}): ObservedAttempt {
  const failed = shots.some(({ status = 'passed', written }) => status !== 'passed' && !written);
  const messages = shots.map((shot) => messageOf(shot, origin));
  return silent(failed ? 'failed' : 'passed', null, messages);
}

/** An attempt without a word of ours, unless it is given. */
export function silent(
  outcome: ObservedAttempt['outcome'],
  error: string | null,
  messages: readonly ShotMessage[] = [],
): ObservedAttempt {
  return { outcome, error, durationMs: 30_000, messages, attachments: new Map([['_after.png', '/tmp/after.png']]) };
}

export function declaredOf(id: string, changes: Partial<DeclaredShot> = {}): DeclaredShot {
  const url = `http://127.0.0.1:4173/${id}`;
  const list = { list: 'pages.yaml', listHash: 'a'.repeat(64), listShots: 1, line: 3, each: false };
  return { id, page: id, viewport: null, mode: null, state: null, url, ...list, ...changes };
}

/** The listed shots of one shard, as they come out of its blob. */
export function shardOf(
  current: number,
  total: number,
  ids: readonly string[],
  changes: Partial<Origin> & { project?: string } = {},
): ObservedTest[] {
  const { project = 'chromium', ...origin } = changes;
  const shard: Shard = { current, total };
  return ids.map((id) =>
    listed(id, 'passed', { project, attempts: [compared([{ id, project }], { shard, ...origin })] }),
  );
}

function messageOf(changes: Partial<ShotRecord>, origin: Partial<Origin>): ShotMessage {
  const { id = 'home', project = 'chromium' } = changes;
  const baseline = { path: `shots/${project}/${id}.png`, sha256: null, environment: null };
  const shot = shotOf({ page: id, attempts: [], baseline, ...changes });
  const link = shotOf().after?.link ?? '';
  const images = [
    { link, attachment: '_after.png' },
    { link: `${link}.lost`, attachment: '_lost.png' },
  ];
  const list = { list: 'pages.yaml', listHash: 'a'.repeat(64), listIds: null };
  const run = { shard: null, commit: null, run: 'PROOFSHEET_RUN_ID=1' };
  return { shot, images, fingerprint: null, origin: { ...list, ...run, ...origin } };
}
