import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root } from '../../scripts/run.mjs';

/** Installs an earlier Chromium from npm, once, and returns the path of its executable. */
export async function bringChromium(version) {
  const place = join(root, '.tmp', 'machines', `chromium-${version}`);
  const executable = join(place, 'tmp', 'chromium');
  if (existsSync(executable)) return executable;
  mkdirSync(join(place, 'tmp'), { recursive: true });
  const spec = `@sparticuz/chromium@${version}`;
  await mustRun('npm', ['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', '--silent', spec]);
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  await mustRun(process.execPath, ['-e', script], { cwd: place, env: { ...process.env, TMPDIR: join(place, 'tmp') } });
  return executable;
}
