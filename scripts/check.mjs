import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { mustRun, root, run } from './run.mjs';

/**
 * Runs every check that needs no browser: lint and format, types, dead code, and the package as it would be published.
 *
 * @param {object} [options]
 * @param {boolean} [options.isQuick] lint, format and types only.
 * @param {(text: Buffer | string) => void} [options.write] receives the result of each check, and the output of those that fail.
 * @returns {Promise<{ name: string, passed: boolean }[]>}
 */
export async function check({ isQuick = false, write = (text) => process.stdout.write(text) } = {}) {
  const checks = [
    ['biome', ['biome', 'ci', '--colors=off', '--error-on-warnings', '.']],
    ['tsc', ['tsc', '-p', '.']],
    ['tsc, the viewer', ['tsc', '-p', 'src/report/viewer']],
    ...(isQuick ? [] : [LOADED_SOAK_TESTS, ...packageChecks(await pack(write))]),
  ];
  const runs = checks.map(async ([name, args]) => {
    const passed = (await run('npx', ['--no-install', ...args], { quiet: true, write })) === 0;
    write(`${passed ? 'ok    ' : 'FAILED'} ${name}\n`);
    return { name, passed };
  });
  return Promise.all(runs);
}

/** The soak tests run once a night: a mistake that keeps all of them from loading shows here. */
const LOADED_SOAK_TESTS = ['soak tests', ['playwright', 'test', '-c', 'test/soak', '--list']];

function packageChecks(tarball) {
  return [
    ['knip', ['knip']],
    ['publint', ['publint', '--strict', tarball]],
    [
      'attw',
      ['attw', tarball, '--profile', 'strict', '--exclude-entrypoints', 'pages.schema.json', 'results.schema.json'],
    ],
  ];
}

async function pack(write) {
  const folder = join(root, '.tmp', 'pack');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await mustRun('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { quiet: true, write });
  return join(folder, readdirSync(folder)[0]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  const results = await check();
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}
