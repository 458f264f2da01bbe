import { describe, expect, test } from 'vitest';
import { imported, written } from './imported-file.js';

describe('Percy', () => {
  test('discovery has equivalents, of which a secret is not copied', async () => {
    const discovery = {
      ...{ userAgent: 'Bot', 'request-headers': { A: 'hunter2' }, cookies: { s: 'hunter2' }, disableCache: true },
      authorization: { username: 'me', password: 'hunter2' },
    };
    const snapshots = [{ url: 'https://a.test/', widths: [400], minHeight: 500, discovery }];
    const { text, list } = await imported(written('discovery.json', JSON.stringify({ snapshots })));
    expect(list.pages[0].userAgent).toBe('Bot');
    for (const note of [
      ...['requestHeaders: use headers', 'cookies: use cookies', 'authorization: use httpCredentials'],
      'disableCache: no equivalent in proofsheet',
    ]) {
      expect(text).toContain(`# discovery.${note}\n`);
    }
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('.percy.yml');
  });

  test('a size out of bounds is limited, with a note', async () => {
    const { text } = await imported(written('tiny.yml', '- { url: https://a.test/, widths: [50], minHeight: 50 }'));
    expect(text).toContain('# viewport 50x50: 50x50 is out of range; 100x100 is used');
  });

  test('an additional snapshot begins where the page and the snapshots before it ended', async () => {
    const text = `
- name: Shop
  url: https://a.test/shop
  execute: const cart = open(); cart.fill()
  percyCSS: "a{}"
  additionalSnapshots:
    - { suffix: menu, execute: 'const cart = menu(); return', waitForSelector: '#menu' }
    - { suffix: plain }
    - { suffix: paid, execute: pay(), waitForTimeout: 50, percyCSS: "b{}" }
`;
    const [page] = (await imported(written('states.yml', text))).list.pages;
    const code = (state: string) => page.states[state].javascriptCode.replace(/await \(async \(\) => |\)\(\);/g, '');
    const style = (css: string) =>
      `{\ndocument.head.append(Object.assign(document.createElement('style'), { textContent: "${css}" }));\n}`;
    const page1 = '{\nconst cart = open(); cart.fill()\n}';
    const waits = `{\nwhile (!document.querySelector("#menu")) await new Promise((next) => setTimeout(next, 100));\n}`;
    const menu = `${waits}\n{\nconst cart = menu(); return\n}`;
    const paid = '{\nawait new Promise((next) => setTimeout(next, 50));\n}\n{\npay()\n}';
    expect(code('menu')).toBe([page1, menu, style('a{}')].join('\n'));
    expect(code('plain')).toBe([page1, menu, style('a{}')].join('\n'));
    expect(code('paid')).toBe([page1, menu, paid, style('b{}')].join('\n'));
    expect(page.states.menu.waitFor).toBe(undefined);
  });

  test('an additional snapshot may have widths of its own', async () => {
    const text = `
- name: Shop
  url: https://a.test/shop
  widths: [400, 800]
  additionalSnapshots: [{ suffix: narrow, widths: [300] }]
`;
    const { plan } = await imported(written('widths.yml', text));
    expect(plan.shots.map(({ id }) => id)).toEqual(['Shop/400', 'Shop/800', 'Shop/300/narrow']);
  });

  test('may be a bare list of URLs', async () => {
    const { tool, plan } = await imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
    expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
  });
});
