import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readDocs, snippetsOf } from '../docs-snippets.js';
import { config, expect, type Project, test } from '../e2e/project.js';

/** The versions of Storybook that the documentation names, with the package that has `storybook/test`. */
const VERSIONS = [
  { version: '8.6.18', tools: '@storybook/test' },
  { version: '9.1.20', tools: 'storybook/test' },
  { version: '10.5.10', tools: 'storybook/test' },
];

const BUTTON = `export const button = (color) => {
  const element = document.createElement('button');
  element.style.cssText = 'font: 20px sans-serif; color: white; background: ' + color;
  element.textContent = 'Send';
  return element;
};
`;

const storiesOf = (tools: string) => ({
  'stories/button.js': BUTTON,
  'stories/Button.stories.js': `import { button } from './button.js';
export default { title: 'Forms/Button', render: () => button('rgb(0, 90, 200)') };
export const Primary = {};
`,
  'stories/Field.stories.js': `import { expect, userEvent, within } from '${tools}';
export default { title: 'Forms/Field', render: () => '<label>Name <input></label>' };
export const Filled = {
  play: async ({ canvasElement }) => {
    const field = within(canvasElement).getByLabelText('Name');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await userEvent.type(field, 'Isla');
    await expect(field).toHaveValue('Isla');
  },
};
`,
  'stories/Card.stories.js': `export default { title: 'Card', parameters: { proofsheet: { skip: 'not yet finished' } } };
export const Later = { render: () => { throw new Error('not finished'); } };
export const Throws = {
  parameters: { proofsheet: { skip: null } }, render: () => { throw new Error('no price for item 7'); },
};
`,
});

for (const { version, tools } of VERSIONS) {
  test(`the stories of a Storybook ${version} are captured, one that throws is an error, and a change captures its stories`, async ({
    project,
  }) => {
    await install(project, version, tools);
    await build(project);
    project.write({ 'playwright.config.ts': config() });
    expect(await project.proofsheet(['init', '--storybook', 'storybook-static'])).toExit(0);

    const env = { PROOFSHEET_CACHE: 'cache', PROOFSHEET_REUSE: '1' };
    expect(await project.test(['--update-snapshots'], env)).toExit(1);
    expect(project.files('visual.spec.ts-snapshots')).toEqual([
      `Forms/Button/Primary-${process.platform}.png`,
      `Forms/Field/Filled-${process.platform}.png`,
    ]);
    expect(await project.test([], env)).toExit(1);
    const statuses = [
      'Card/Later: skipped',
      'Card/Throws: error',
      'Forms/Button/Primary: passed',
      'Forms/Field/Filled: passed',
    ];
    expect(project.statuses()).toEqual(statuses);
    expect(project.shot('Card/Later').reason).toBe('not yet finished');
    // Without the empty space below it.
    expect(project.shot('Forms/Button/Primary').after?.height).toBeLessThan(60);
    const { reason, url } = project.shot('Card/Throws');
    expect(url).toBe('storybook-static/iframe.html?id=card--throws&viewMode=story');
    expect(reason).toContain('Storybook reports an error: Error: no price for item 7. Open the story in Storybook');
    expect(reusedOf(project)).toEqual(['Forms/Button/Primary', 'Forms/Field/Filled']);
    expect(await project.test(['--grep', 'Forms/'])).toExit(0);

    project.write({ 'storybook/stories/button.js': BUTTON.replace('20px', '21px') });
    await build(project);
    const affected = await project.proofsheet(['affected'], env);
    expect(affected.stdout).toContain('proofsheet: 3 of 4 shots would be captured');
    expect(affected.stdout).toMatch(/capture {2}Forms\/Button\/Primary {2}.*\/assets\/Button\.stories\.js changed/);
    expect(await project.test([], env)).toExit(1);
    expect(project.statuses()).toEqual(statuses.map((one) => one.replace('Primary: passed', 'Primary: changed')));
    expect(reusedOf(project)).toEqual(['Forms/Field/Filled']);
  });
}

function reusedOf(project: Project): string[] {
  const { shots } = project.results();
  return shots.flatMap(({ id, reused }) => (reused ? [id] : [])).sort();
}

/** The config of the documentation: a build without hashes in the names of its scripts. */
function documentedConfig(): string {
  const snippet = readDocs()
    .flatMap(snippetsOf)
    .find(({ file }) => file === '.storybook/main.ts');
  if (!snippet) throw new Error('the documentation has no .storybook/main.ts');
  return snippet.text;
}

/** Installs Storybook beside the tool: in `storybook`, because `node_modules` of the project is shared with other tests. */
async function install(project: Project, version: string, tools: string): Promise<void> {
  const names = ['storybook', '@storybook/html-vite', ...(tools.startsWith('@') ? [tools] : [])];
  const packages = Object.fromEntries(names.map((name) => [name, version]));
  const stories = Object.entries(storiesOf(tools)).map(([name, text]) => [`storybook/${name}`, text]);
  project.write({
    'storybook/package.json': JSON.stringify({ type: 'module', dependencies: { ...packages, vite: '6.4.1' } }),
    'storybook/.storybook/main.ts': documentedConfig(),
    ...Object.fromEntries(stories),
  });
  await run(project, 'npm', ['install', '--no-audit', '--no-fund']);
}

function build(project: Project): Promise<void> {
  return run(project, 'npx', ['storybook', 'build', '--quiet', '-o', '../storybook-static']);
}

async function run({ path }: Project, command: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1' };
  await promisify(execFile)(command, args, { cwd: path('storybook'), env });
}
