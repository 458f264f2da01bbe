import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Writes the baselines of an arm of Playwright Test, compares with them once, and lists the tests that fail in either run.
 *
 * @returns their positions in the spec file
 */
export async function findFailingTests({ cwd, approve, compare }) {
  const failing = new Set();
  for (const [command, args] of [approve, compare]) {
    const child = spawn(command, [...args, '--reporter=json'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    const report = JSON.parse(await text(child.stdout));
    testsOf(report.suites).forEach(({ ok }, index) => {
      if (!ok) failing.add(index);
    });
  }
  return failing;
}

/** Lists the tests of suites and of the suites in them, in the order of the file. */
function testsOf(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...testsOf(suite.suites)]);
}
