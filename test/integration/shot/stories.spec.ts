import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { readImage } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { storybook } from '../../storybook.js';
import { writeFiles } from '../../unit/temp-folder.js';
import { test } from '../runs.js';

/**
 * The preview of a Storybook as far as it can be seen from outside: the channel with the last event of each kind, the phases of a
 * render, and the error display. Each story has the steps that Storybook 10 takes for one of its kind.
 */
const PREVIEW = html(
  `<div id="storybook-root"></div><pre id="error-message"></pre>`,
  `<style>
    body { margin: 16px } #error-message, .sb-show-errordisplay #storybook-root { display: none }
    .sb-show-errordisplay #error-message { display: block }
  </style>
  <script type="module">
    const last = {};
    const emit = (event, ...values) => { last[event] = values; };
    window.__STORYBOOK_ADDONS_CHANNEL__ = { emit, last: (event) => last[event] };
    const id = new URLSearchParams(location.search).get('id');
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const phase = (newPhase) => emit('storyRenderPhaseChanged', { newPhase, storyId: id });
    const draw = (color) => {
      document.getElementById('storybook-root').innerHTML = '<div style="width: 90px; height: 40px; background: ' + color + '">Box</div>';
    };
    const show = (mode) => { document.body.className = mode; };
    const showError = (message) => {
      document.getElementById('error-message').textContent = message;
      show('sb-show-errordisplay');
    };
    const rendered = () => { phase('completed'); emit('storyRendered', id); };
    const finish = () => { phase('finished'); emit('storyFinished', { storyId: id, status: 'success' }); };
    const fail = ({ name, message }) => {
      emit('storyThrewException', { name, message });
      phase('errored');
      showError(message);
      phase('finished');
    };
    const start = async () => {
      phase('loading');
      await pause(50);
      phase('rendering');
      draw('rgb(200, 0, 0)');
      show('sb-show-main');
    };
    const STORIES = {
      async green() { await start(); draw('rgb(0, 160, 0)'); rendered(); finish(); },
      async played() {
        await start(); phase('playing'); await pause(700); draw('rgb(0, 160, 0)'); rendered(); finish();
      },
      async hooked() {
        await start(); rendered(); phase('afterEach'); await pause(400); draw('rgb(0, 160, 0)'); finish();
      },
      // Storybook 8.0 has no phase after 'completed'.
      async early() { await start(); draw('rgb(0, 160, 0)'); rendered(); },
      async throws() { await start(); fail(new TypeError('no price\\nfor item 7')); },
      async wrong() {
        await start();
        emit('storyErrored', { title: 'Expecting an element', description: 'Did you forget to return it?' });
        phase('errored');
        showError('Expecting an element');
      },
      async unplayed() {
        await start(); phase('playing');
        emit('playFunctionThrewException', { name: 'Error', message: '\\u001b[2mexpect\\u001b[22m(element).toBeVisible()' });
        phase('errored'); rendered(); finish();
      },
      async unhandled() {
        await start(); phase('playing');
        emit('unhandledErrorsWhilePlaying', [{ name: 'Error', message: 'lost connection' }]);
        phase('errored'); rendered(); finish();
      },
      async afterwards() { await start(); rendered(); phase('afterEach'); await pause(200); fail(new Error('not cleaned')); },
      async stale() { showError('Failed to fetch story.js'); emit('storyMissing', id); },
      async unknown() { show('sb-show-nopreview'); emit('storyMissing'); },
      async config() { emit('configError', new Error('no preview')); },
      async hanging() { await start(); phase('playing'); },
      async stopped() {},
    };
    await STORIES[id.slice('box--'.length)]();
  </script>`,
);

const RENDERED = ['green', 'played', 'hooked', 'early'];
const FAILED: Record<string, string> = {
  throws: 'Storybook reports an error: TypeError: no price for item 7.',
  wrong: 'Storybook reports an error: Expecting an element: Did you forget to return it? Open',
  unplayed:
    'Storybook reports an error: Error: expect(element).toBeVisible(). Open the story in Storybook and correct it',
  unhandled: 'Storybook reports an error: Error: lost connection.',
  afterwards: 'Storybook reports an error: Error: not cleaned.',
  stale: 'Storybook reports an error: Failed to fetch story.js.',
  unknown: 'Storybook reports an error: there is no story with the id "box--unknown".',
  config: 'Storybook reports an error: Error: no preview.',
  hanging: 'the story was not rendered after # s; its last phase was "playing". Find out what',
  stopped: 'no story of Storybook started to render after # s. Check that the URL',
};

test('a story is captured when Storybook has rendered it, and is an error with the message of Storybook', async ({
  folder,
  runs,
}) => {
  const write = (page: string) =>
    writeFiles(folder, storybook('storybook', 'Box', [...RENDERED, ...Object.keys(FAILED)], page));
  write(PREVIEW);
  const list = `stories:
  - { folder: storybook, exclude: [Box/hanging, Box/stopped] }
  - { folder: storybook, include: [Box/hanging, Box/stopped], timeout: 2 }\n`;

  const written = await runs.run(list, { mode: 'missing' });
  for (const [name, found] of Object.entries(FAILED)) {
    const { status, reason, url } = written.shot(`Box/${name}`);
    expect([status, url], reason ?? '').toEqual(['error', `storybook/iframe.html?id=box--${name}&viewMode=story`]);
    // A part of the time has passed before the wait.
    expect(reason?.replace(/after [\d.]+ s/, 'after # s')).toContain(`${url}: ${found}`);
  }
  expect(runs.baselines()).toEqual(RENDERED.map((name) => `Box/${name}.png`).sort());

  const [green, ...others] = await Promise.all(RENDERED.map((name) => pixelsOf(runs.path(`Box/${name}.png`))));
  for (const [index, pixels] of others.entries())
    expect(pixels?.equals(green ?? pixels), RENDERED[index + 1]).toBe(true);

  const only = `stories: { folder: storybook, include: "Box/{${RENDERED.join(',')}}" }\n`;
  expect((await runs.run(only)).statuses).toEqual(RENDERED.map((name) => `Box/${name}: passed`).sort());
  write(PREVIEW.replaceAll('width: 90px', 'width: 91px'));
  expect((await runs.run(only)).statuses).toEqual(RENDERED.map((name) => `Box/${name}: changed`).sort());
});

async function pixelsOf(file: string): Promise<Buffer> {
  const { data } = await decodeImage(readImage(readFileSync(file)));
  return Buffer.from(data);
}
