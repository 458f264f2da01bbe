import { expect, filesOf, html, test } from './project.js';

test('a page in each mode: ids, baselines, one group for a cause of all modes, --grep, and the obsolete baseline of a mode that is gone', async ({
  project,
  site,
}) => {
  const page = (style: string) =>
    html(
      '<h1>Shop</h1><button class="buy">Buy</button>',
      `<style>${style} @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
        @media print { h1 { font-size: 60px } }</style>`,
    );
  const list = (modes: string) => `baseURL: ${site.url}
modes: { ${modes} }
pages:
  - { name: help, url: /help.html, modes: [light], width: 400, height: 200 }
  - { name: shop, url: /shop.html, width: 400, height: 200 }
`;
  const MODES = 'light: {}, dark: { colorScheme: dark, tags: [night] }, print: { media: print }';
  site.write({ 'shop.html': page('.buy { padding: 4px }'), 'help.html': html('<h1>Help</h1>') });
  project.write(filesOf(list(MODES)));

  expect(await project.test(['-u'])).toExit(0);
  expect(project.statuses()).toEqual(['help/light: new', 'shop/dark: new', 'shop/light: new', 'shop/print: new']);
  const images = project.files('visual.spec.mjs-snapshots/shop').map((name) => name.replace(/-linux.*/, ''));
  expect(images.sort()).toEqual(['dark', 'light', 'print']);
  expect(new Set(project.results().shots.map(({ after }) => after?.sha256)).size, 'each mode has its own image').toBe(
    4,
  );

  const dark = await project.test(['--list', '--grep', '@night']);
  expect(dark.output.match(/ › .*/g)).toEqual([expect.stringMatching(/ › shop\/dark/)]);

  site.write({ 'shop.html': page('.buy { padding: 9px }') });
  project.write({ 'pages.yaml': list('light: {}, dark: { colorScheme: dark, tags: [night] }') });
  expect(await project.test()).toExit(1);
  const changed = project.results().shots.filter(({ status }) => status === 'changed');
  expect(changed.map(({ id, mode }) => [id, mode])).toEqual(
    expect.arrayContaining(['light', 'dark'].map((mode) => [`shop/${mode}`, mode])),
  );
  expect(new Set(changed.map(({ group }) => group)), 'one decision for all modes').toEqual(
    new Set([expect.any(String)]),
  );

  expect(project.results().obsolete).toEqual([expect.stringContaining('shop/print')]);
});

test('each element of a page is a shot: names, a change, and the obsolete baseline of an element that is gone', async ({
  project,
  site,
}) => {
  const cards = (...texts: string[]) =>
    html(
      `<h1>Plans</h1>${texts.map((text) => `<div class="card"><h3>${text}</h3><p>a month</p></div>`).join('')}
        <div class="card" hidden><h3>Old</h3></div>`,
      '<style>.card { width: 200px; padding: 9px; margin-bottom: 600px; background: #eee }</style>',
    );
  const write = (...texts: string[]) => site.write({ 'plans.html': cards(...texts) });
  write('Free plan', 'Pro plan', 'Team plan');
  project.write(
    filesOf(`baseURL: ${site.url}\npages:\n  - { name: plans, url: /plans.html, element: .card, each: true }\n`),
  );
  const ids = ['plans/free-plan', 'plans/pro-plan', 'plans/team-plan'];

  expect(await project.test(['-u'])).toExit(0);
  expect(project.statuses()).toEqual(ids.map((id) => `${id}: new`));
  const [first] = project.results().shots;
  expect(first?.after, 'the image shows the element only').toMatchObject({ width: 218 });

  write('Free plan', 'Pro  plan!', 'Group plan');
  const changed = await project.test();
  expect(changed).toExit(1);
  expect(changed.output).toContain('plans/pro-plan: changed: .card h3: text "Pro plan" -> "Pro plan!"');
  expect(changed.output).toContain('`element` ".card" no longer matches: team-plan.');
  expect(project.statuses().sort()).toEqual([
    ...['plans/free-plan: passed', 'plans/group-plan: new', 'plans/pro-plan: changed', 'plans: error'],
  ]);

  // An error of the page is no reason to delete those of its other elements.
  expect(project.results().obsolete).toEqual([expect.stringContaining('plans/team-plan')]);
});
