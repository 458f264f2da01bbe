import { existsSync } from 'node:fs';
import { config, expect, SPEC, test } from './project.js';

const BAD = `pages:
  - /
  - name: pricing
    url: /pricing
    treshold: 0.1
    width: "1280"
  - url: /about
    height: 50
  - url: \${NOWHERE_SET}/contact
`;

test('all errors of a list have their YAML lines, and no browser starts', { tag: '@quick' }, async ({ project }) => {
  const started = project.path('started');
  project.write({
    'pages.yaml': BAD,
    'visual.spec.mjs': SPEC,
    // A "browser" that leaves a trace when it is started.
    'browser.sh': `#!/bin/sh\ntouch ${started}\nexit 1\n`,
    'playwright.config.mjs': config(
      `use: { launchOptions: { executablePath: ${JSON.stringify(project.path('browser.sh'))} } },`,
    ),
  });
  const run = await project.test();
  expect(run).toExit(1);
  for (const place of ['pages.yaml:5:5', 'pages.yaml:6:12', 'pages.yaml:8:13', 'pages.yaml:9:10']) {
    expect(run.output).toContain(place);
  }
  expect(run.output).toContain('Did you mean "threshold"');
  expect(run.output).toContain('NOWHERE_SET');
  // Playwright's own code frame, out of the YAML.
  expect(run.output).toMatch(/>\s*5 \|\s+treshold: 0\.1/);
  expect(existsSync(started)).toBe(false);
});

// That no secret of a list is printed: test/unit/list/secrets.test.ts.
test('a missing list and definePages() in a serial describe are errors with advice, and a list with 800 problems prints 150', async ({
  project,
}) => {
  project.write({
    'pages.yaml': `pages:\n  - url: /\n${Array.from({ length: 800 }, (_, at) => `    widht${at}: 1\n`).join('')}`,
    'good.yaml': 'pages: [/]\n',
    'visual.spec.mjs': SPEC,
    'missing.spec.mjs': SPEC.replace('pages.yaml', 'none.yaml'),
    'serial.spec.mjs': `import { definePages, test } from 'proofsheet';
test.describe.serial('in order', () => definePages('good.yaml'));
`,
    'playwright.config.mjs': config(),
  });
  const { output, code } = await project.test();
  expect(code, output).toBe(1);
  expect(output).toContain('definePages() declares parallel tests, but test.describe.serial');
  expect(output).toMatch(/> 2 \| test\.describe\.serial/);

  const missing = output.split(/^(?=\w*Error: )/m).find((error) => error.includes('none.yaml'));
  expect(missing).toContain('missing.spec.mjs:2:1: the page list none.yaml does not exist.');
  expect(missing).toMatch(/> 2 \| definePages/);
  expect(missing).not.toMatch(/at .*node_modules\/proofsheet/);

  expect(output).toContain('pages.yaml: 750 more problems');
  expect(output.split('\n').filter((line) => /unknown key "widht/.test(line))).toHaveLength(150);
});
