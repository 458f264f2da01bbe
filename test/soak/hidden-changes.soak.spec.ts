import { expect, filesOf, html, test } from '../e2e/project.js';

/** Fields of a page in the list when its baseline is made, and when the page breaks. */
interface Attack {
  readonly before: string;
  readonly after: string;
}

/** Each tries to have a page pass that broke. `minCompared: 0` lets the baseline be made where the list hides it all. */
const ATTACKS: Record<string, Attack> = {
  'ignore-html-dropped': { before: 'ignore: html, minCompared: 0', after: '' },
  'mask-body-dropped': { before: 'mask: body, minCompared: 0', after: '' },
  'ignore-star-dropped': { before: 'ignore: "*", minCompared: 0', after: '' },
  'ignore-area-dropped': { before: 'ignore: { x: 0, y: 0, width: 400, height: 300 }, minCompared: 0', after: '' },
  'mask-replaced': { before: 'mask: body, minCompared: 0', after: 'mask: .small' },
  'ignore-html': { before: '', after: 'ignore: html' },
  'ignore-star': { before: '', after: 'ignore: "*"' },
  'mask-star': { before: '', after: 'mask: "*"' },
  'mask-html': { before: '', after: 'mask: html' },
  'ignore-area': { before: '', after: 'ignore: { x: 0, y: 0, width: 99999, height: 99999 }' },
  'mask-grown': { before: 'mask: .grows', after: 'mask: .grows' },
  'ignore-grown': { before: 'ignore: .grows', after: 'ignore: .grows' },
};

/** Limits that no page can exceed: the page passes as the list says, and a warning names the limit. */
const LIMITS: Record<string, Attack> = {
  pixels: { before: '', after: 'maxDiffPixels: 1000000000' },
  ratio: { before: '', after: 'maxDiffPixelRatio: 1' },
  threshold: { before: '', after: 'threshold: 1' },
};

test('no mask, ignored area or limit makes a broken page pass in silence', async ({ project, site }) => {
  const page = (isBroken: boolean) =>
    html(
      `<div class="grows" style="${isBroken ? 'position: fixed; inset: 0; background: #eee' : 'height: 20px; width: 50px'}"></div>
      <h1 style="position: relative; z-index: 1">${isBroken ? 'Half of the shop is gone' : 'Shop'}</h1><p class="small">Small</p>`,
    );
  const list = (side: keyof Attack) =>
    `baseURL: ${site.url}\ndefaults: { width: 400, height: 300 }\npages:\n${Object.entries({ ...ATTACKS, ...LIMITS })
      .map(([name, attack]) => `  - { name: ${name}, url: /, ${attack[side]} }`)
      .join('\n')}\n`;
  site.write({ 'index.html': page(false) });
  project.write(filesOf(list('before')));
  expect(await project.test(['--update-snapshots'])).toExit(0);
  site.write({ 'index.html': page(true) });
  project.write({ 'pages.yaml': list('after') });
  expect(await project.test()).toExit(1);
  for (const name of Object.keys(ATTACKS))
    expect(['changed', 'error'], `${name}: ${project.shot(name).status}`).toContain(project.shot(name).status);
  for (const name of Object.keys(LIMITS))
    expect(
      project.shot(name).warnings.map(({ code }) => code),
      name,
    ).toContain('limit-too-large');
});
