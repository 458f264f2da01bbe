import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tarballPath } from '../../scripts/install-package.mjs';
import {
  type Commands,
  commandEnv,
  config,
  createProject,
  expect,
  html,
  type Project,
  root,
  type Site,
  SPEC,
  test,
} from '../e2e/project.js';

interface Manager {
  readonly title: string;
  readonly type?: 'commonjs' | 'module';
  install(folder: string): Promise<Commands>;
}

const MANAGERS: readonly Manager[] = [
  { title: 'npm', install: installWithNpm },
  { title: 'pnpm', install: installWithPnpm },
  { title: "Yarn with Plug'n'Play, a project of type commonjs", type: 'commonjs', install: installWithYarn },
  { title: "Yarn with Plug'n'Play, a project of type module", type: 'module', install: installWithYarn },
];

for (const { title, type = 'module', install } of MANAGERS) {
  test(`${title} installs and runs a page list: write, pass, change, approve`, async ({ site }) => {
    const folder = mkdtempSync(join(tmpdir(), 'proofsheet-packages-'));
    try {
      cpSync(tarballPath(), join(folder, 'proofsheet.tgz'));
      const devDependencies = { proofsheet: 'file:./proofsheet.tgz', '@playwright/test': playwrightVersion() };
      const manifest = { private: true, type, devDependencies, resolutions: presentBinary() };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      await runList(createProject(folder, await install(folder)), site);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function runList(project: Project, site: Site): Promise<void> {
  // Yarn puts its loader into this variable.
  const env = { NODE_OPTIONS: '' };
  site.write({ 'index.html': html('<h1>Welcome</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/, { name: odiff, url: /, engine: odiff }]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const written = await project.test(['--update-snapshots'], env);
  expect(written).toExit(0);
  expect(written.output).toContain('2 written');
  const passed = await project.test([], env);
  expect(passed).toExit(0);
  expect(passed.output).toContain('2 compared: 2 passed');
  site.write({ 'index.html': html('<h1>Farewell</h1>') });
  const changed = await project.test([], env);
  expect(changed).toExit(1);
  expect(changed.output).toContain('2 compared: 2 changed');
  expect(await project.proofsheet(['approve', '--all'], env)).toExit(0);
  expect(await project.test([], env)).toExit(0);
}

async function installWithNpm(folder: string): Promise<Commands> {
  await npmInstall(folder);
  return { playwright: ['npx', 'playwright'], proofsheet: ['npx', 'proofsheet'] };
}

async function installWithPnpm(folder: string): Promise<Commands> {
  await npmInstall(join(folder, 'manager'), 'pnpm@10');
  const pnpm = [process.execPath, join(folder, 'manager', 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')];
  await run(folder, [...pnpm, 'install', '--store-dir', join(folder, 'store')]);
  return { playwright: [...pnpm, 'exec', 'playwright'], proofsheet: [...pnpm, 'exec', 'proofsheet'] };
}

async function installWithYarn(folder: string): Promise<Commands> {
  writeFileSync(join(folder, 'yarn.lock'), '');
  writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n');
  await npmInstall(join(folder, 'manager'), '@yarnpkg/cli-dist@4');
  const yarn = [process.execPath, join(folder, 'manager', 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')];
  await run(folder, [...yarn, 'install']);
  return { playwright: [...yarn, 'playwright'], proofsheet: [...yarn, 'proofsheet'] };
}

/** Yarn looks up the binaries of all platforms, which not every mirror has: each becomes that of this platform. */
function presentBinary(): Record<string, string> {
  const [present = ''] = readdirSync(join(root, 'node_modules', '@odiff'));
  const { version, optionalDependencies }: { version: string; optionalDependencies: Record<string, string> } = readJson(
    join(root, 'node_modules', 'odiff-bin', 'package.json'),
  );
  const others = Object.keys(optionalDependencies).filter((name) => name !== `@odiff/${present}`);
  return Object.fromEntries(others.map((name) => [name, `npm:@odiff/${present}@${version}`]));
}

function playwrightVersion(): string {
  const { version }: { version: string } = readJson(join(root, 'node_modules', '@playwright', 'test', 'package.json'));
  return version;
}

async function npmInstall(folder: string, ...packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run(folder, ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
}

async function run(cwd: string, [program = '', ...args]: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args, { cwd, env: { ...commandEnv(), NODE_OPTIONS: '' } });
}

function readJson(path: string): never {
  return JSON.parse(readFileSync(path, 'utf8')) as never;
}
