import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { OdiffServer } from '../../../src/compare/engines/odiff-server.js';
import { fill, png, sheet } from '../image/paint.js';
import { settings } from './settings.js';

const white = png(sheet(200, 100));
const dotted = png(fill(sheet(200, 100), { x: 1, y: 2, width: 3, height: 4 }, '#000000'));
const compare = () => compareImages(white, dotted, settings({ engine: 'odiff' }), []);
const binary: string = createRequire(import.meta.url)('odiff-bin/binary.js').findBinary();

/** The next test must not find the process of this one. */
afterEach(async () => {
  for (const pid of odiffs()) process.kill(pid, 'SIGKILL');
  await untilNoneRuns();
});

/** A killed process takes a moment to end, more on a busy machine. Node hears of it when it next listens. */
async function untilNoneRuns(): Promise<void> {
  await until(() => expect(odiffs()).toEqual([]));
  await setTimeout(50);
}

/** The odiff processes that this one started. */
function odiffs(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter(
      (match) => match?.[2] === String(process.pid) && !match[3]?.startsWith('Z') && match[4]?.includes('--server'),
    )
    .map((match) => Number(match?.[1]));
}

/** Waits until one process runs, and returns it. */
function theOdiff(): Promise<number> {
  return until(() => {
    const [pid, ...others] = odiffs();
    expect(others).toEqual([]);
    if (pid === undefined) throw new Error('no odiff runs');
    return pid;
  });
}

/** Waits until a check does not throw, however busy the machine is. */
function until<T>(check: () => T): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: 50 });
}

/** Watches for questions. They are on their way some time after a comparison began: its files are written first. */
const watchQuestions = () => vi.spyOn(OdiffServer.prototype, 'ask').mockClear();

describe.skipIf(process.platform === 'win32')('the odiff process', () => {
  test('50 comparisons, 10 at a time, are answered by one process', async () => {
    await compare();
    const pid = await theOdiff();
    const kinds = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const comparisons = await Promise.all(Array.from({ length: 10 }, compare));
      for (const { kind, counts } of comparisons) kinds.add(`${kind} ${counts.mismatchPixels}`);
      expect(await theOdiff()).toBe(pid);
    }
    expect([...kinds]).toEqual(['different 12']);
  });

  test('is not started where bytes are equal', async () => {
    await compareImages(white, { ...white, bytes: Buffer.from(white.bytes) }, settings({ engine: 'odiff' }), []);
    expect(odiffs()).toEqual([]);
  });

  test('killed in the middle of a comparison: an error, never a verdict; the next comparison works', async () => {
    await compare();
    const pid = await theOdiff();
    process.kill(pid, 'SIGSTOP');
    const questions = watchQuestions();
    const underWay = compare().catch((error) => error);
    await until(() => expect(questions).toHaveBeenCalledOnce());
    process.kill(pid, 'SIGKILL');
    expect(await underWay).toMatchObject({
      code: 'engine-failed',
      message:
        'odiff: the process exited during a comparison (SIGKILL). ' +
        'The images were not compared. Run again, or set `engine: pixelmatch`.',
    });
    expect(await compare()).toMatchObject({ kind: 'different', counts: { mismatchPixels: 12 } });
    expect(await theOdiff()).not.toBe(pid);
  });

  test('killed while many wait: one of them fails, the others get their verdicts', async () => {
    await compare();
    const pid = await theOdiff();
    process.kill(pid, 'SIGSTOP');
    const questions = watchQuestions();
    const all = Array.from({ length: 5 }, () =>
      compare().then(
        ({ kind }) => kind,
        (error) => error.code,
      ),
    );
    await until(() => expect(questions).toHaveBeenCalledTimes(5));
    process.kill(pid, 'SIGKILL');
    expect((await Promise.all(all)).sort()).toEqual([
      'different',
      'different',
      'different',
      'different',
      'engine-failed',
    ]);
  });

  test('killed while idle: the next comparison starts another', async () => {
    await compare();
    process.kill(await theOdiff(), 'SIGKILL');
    await untilNoneRuns();
    expect(await compare()).toMatchObject({ kind: 'different', counts: { mismatchPixels: 12 } });
  });
});

describe.skipIf(process.platform === 'win32')('OdiffServer', () => {
  const question = (base: string) => ({
    base,
    compare: base,
    output: join(tmpdir(), 'never-written.png'),
    options: { threshold: 0.02, antialiasing: false, outputDiffMask: true as const },
  });

  test('a process that hangs is killed after the timeout, and another answers the next request', async () => {
    const server = new OdiffServer(binary, 3_000);
    expect(await server.ask(question('/no/such.png'))).toEqual({ error: 'Could not load base image: /no/such.png' });
    const pid = await theOdiff();
    process.kill(pid, 'SIGSTOP');
    await expect(server.ask(question('/no/such.png'))).rejects.toMatchObject({
      code: 'engine-failed',
      message: expect.stringContaining('no response within 3 s'),
    });
    expect(await server.ask(question('/no/other.png'))).toMatchObject({
      error: expect.stringContaining('/no/other.png'),
    });
    expect(await theOdiff()).not.toBe(pid);
    server.close();
  });

  test('a process that exited unnoticed is an error, and another answers the next request', async () => {
    const server = new OdiffServer(binary, 5000);
    await server.ask(question('/no/such.png'));
    process.kill(await theOdiff(), 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200); // It is dead before Node can hear of it.
    await expect(server.ask(question('/no/such.png'))).rejects.toMatchObject({ code: 'engine-failed' });
    expect(await server.ask(question('/no/such.png'))).toMatchObject({ error: expect.any(String) });
    server.close();
  });

  test('a response that is not JSON is an error message', async () => {
    const server = new OdiffServer(binary, 5000);
    expect(await server.ask(question('/no/"quoted".png'))).toMatchObject({
      error: expect.stringContaining('"quoted"'),
    });
    server.close();
  });

  test('a binary that does not start, or is not odiff, is an error', async () => {
    const failed = { code: 'engine-failed', message: expect.stringContaining('ENOENT') };
    await expect(new OdiffServer('/no/odiff', 5000).ask(question('a'))).rejects.toMatchObject(failed);
    // Node knows no --server, and says so.
    await expect(new OdiffServer(process.execPath, 5000).ask(question('a'))).rejects.toMatchObject({
      code: 'engine-failed',
      message: expect.stringMatching(/the process exited during a comparison \(exit code 9\): .*bad option: --server/),
    });
  });
});

test('files that cannot be written are an error that names the folder', async () => {
  vi.stubEnv('TMPDIR', '/no/such/folder');
  await expect(compare()).rejects.toMatchObject({
    code: 'engine-failed',
    message: expect.stringMatching(/^odiff: the temporary files cannot be written to \/no\/such\/folder \(ENOENT/),
  });
  vi.unstubAllEnvs();
});
