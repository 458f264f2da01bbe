import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import installPackage, { installFolder } from '../../scripts/install-package.mjs';
import { bringChromium } from './environments.mjs';
import { bringPages, CORPUS, emptyFolder } from './pages.mjs';
import { judge, print, spread } from './sample.mjs';

/**
 * Upgrades the baselines of real pages from an earlier Chromium to the installed one, with some pages that changed in between: each page
 * that did not change is upgraded or equal, and each other one is left alone.
 *
 * `npm run bench -- upgrade`; `BENCH_PAGES` sets the number of pages
 */
const PAGES = Number(process.env.BENCH_PAGES ?? 119);
const CHANGED = Math.ceil(PAGES / 10);
const MARK = '<p style="position: absolute; z-index: 99999; left: 40px; top: 200px; background: #fff">Changed text</p>';

await installPackage();
const earlier = await bringChromium('143.0.4');
const pages = spread(await bringPages(), PAGES);
const folder = emptyFolder('bench-upgrade');
cpSync(CORPUS, join(folder, 'site'), { recursive: true });
symlinkSync(join(installFolder('current'), 'node_modules'), join(folder, 'node_modules'));
write('pages.yaml', `serve: site\npages:\n${pages.map((page) => `  - ${JSON.stringify(`/${page}`)}\n`).join('')}`);
// Without a package of its own, `proofsheet` is the checkout.
write('package.json', '{ "private": true }\n');
write('visual.spec.mjs', "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\n");

writeConfig({ executablePath: earlier });
runNpx('playwright', 'test', '--update-snapshots');
const changed = spread(
  pages.filter((page) => /<body[^>]*>/.test(read(page))),
  CHANGED,
);
for (const page of changed)
  write(
    `site/${page}`,
    read(page).replace(/<body[^>]*>/, (body) => body + MARK),
  );
writeConfig({});
const startedAt = performance.now();
const output = runNpx('proofsheet', 'upgrade', '--from-browser', earlier, '--json');
const seconds = (performance.now() - startedAt) / 1000;
const { upgraded, equal, left } = JSON.parse(output);
const wrong = [
  ...left.filter(({ name }) => !changed.includes(name)).map(({ name, why }) => `left alone: ${name}: ${why}`),
  ...[...upgraded, ...equal].filter((name) => changed.includes(name)).map((name) => `not left alone: ${name}`),
];
for (const line of wrong) print(`WRONG: ${line}`);
print(
  `${upgraded.length} upgraded, ${equal.length} equal, ${left.length} left alone (${changed.length} changed), ${wrong.length} wrong, ${seconds.toFixed(0)} s (${judge(wrong.length === 0)})`,
);

function write(name, text) {
  writeFileSync(join(folder, name), text, 'latin1');
}

function read(page) {
  return readFileSync(join(folder, 'site', page), 'latin1');
}

function writeConfig(more) {
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'];
  const options = { fullyParallel: true, workers: 2, reporter: [['proofsheet/reporter']] };
  const config = { ...options, use: { launchOptions: { ...more, args } } };
  write('playwright.config.mjs', `export default ${JSON.stringify(config)};\n`);
}

/** Returns what a command prints. Its exit code is 1 if pages changed. */
function runNpx(...args) {
  const { stdout } = spawnSync('npx', ['--no-install', ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
  return stdout;
}
