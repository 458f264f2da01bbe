import { expect } from '@playwright/test';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

const LIME = '#00ff00';

/** A page with a message that closes itself, a menu that stays, and a note that loads. */
const PAGE = html(
  `<button>Save</button><p class="old" style="width: 100px; height: 30px">shown from the start</p>
  <div id="faded" style="opacity: 0; transition: opacity 0.2s; width: 200px; height: 40px">faded in</div><script>
    const add = (className, text) => {
      const element = document.createElement('div');
      element.className = className;
      element.innerHTML = '<b style="display: block; width: 200px; height: 40px; background: ${LIME}">' + text + '</b>';
      document.body.append(element);
      return element;
    };
    const save = async () => {
      const loading = add('loading', 'loading');
      await (await fetch('/data')).text();
      loading.remove();
      document.querySelector('.old').remove();
      add('menu', 'menu').style.filter = 'grayscale(1)';
      const toast = add('toast', 'saved');
      setTimeout(() => toast.remove(), 4000);
      faded.style.opacity = 1;
      setTimeout(() => { faded.style.opacity = 0; }, 3000);
    };
    document.querySelector('button').addEventListener('click', save);
  </script>`,
);
const STOP = 'for (let id = setTimeout(() => {}); id > 0; id--) clearTimeout(id)';

test('a message that closes itself after an interaction is named, and can be kept', async ({ serve, shoot }) => {
  const site = await serve(({ url }) => (url.pathname === '/data' ? { body: 'data', afterMs: 300 } : PAGE));
  const list = `baseURL: ${site.url}
defaults: { width: 400, height: 400, timeout: 60 }
pages:
  - { name: still, url: / }
  - { name: clicked, url: /, actions: [{ click: button }] }
  - { name: called, url: /, javascriptCode: "document.querySelector('button').click()" }
  - { name: clock, url: /, clock: 2030-01-01, actions: [{ click: button }] }
  - { name: kept, url: /, actions: [{ click: button }, { wait: .toast }], javascriptCode: "${STOP}" }
`;
  const shots = await shoot(list);
  const warning = {
    code: 'content-vanished',
    message: 'not in the image, because it appeared after an interaction and vanished again: div.toast, div#faded',
  };
  const warnings = { still: [], clicked: [warning], called: [warning], clock: [warning], kept: [] };
  const found = Object.keys(warnings).map((name) => [name, shots.capture(name).warnings]);
  expect(Object.fromEntries(found)).toEqual(warnings);
  const isShown = async (name: string) => (await look(shots.capture(name).image)).count(LIME) > 0;
  expect([await isShown('clicked'), await isShown('clock'), await isShown('kept')]).toEqual([false, false, true]);
});
