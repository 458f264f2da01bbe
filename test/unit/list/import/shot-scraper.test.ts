import { describe, expect, test } from 'vitest';
import { imported, specimen, written } from './imported-file.js';

const { tool, text, list, plan } = await imported(specimen('shots.yml'));
const [home, chart, about, old] = list.pages;

describe('shot-scraper', () => {
  test('becomes a list that is right: the file is the name, its ending the format', () => {
    expect(tool).toBe('shot-scraper');
    expect(plan.shots.map(({ id }) => id)).toEqual(['home', 'Chart', 'about', 'old']);
    expect(home).toEqual({ name: 'home', url: 'https://www.example.com', fullSize: true });
    expect(chart).toMatchObject({ format: 'jpeg', quality: 70, width: 900, height: 600, delay: 2 });
    expect(chart.fullSize).toBe(undefined);
    expect(chart.javascriptCode).toMatch(/^while \(!\(document.querySelector\('canvas'\)\)\) await .*\ndocument\.body/);
    expect(about).toMatchObject({ url: '/about.html', element: '.team' });
    expect(old).toMatchObject({ skip: expect.any(String) });
  });

  test('a size out of bounds is changed, with a note', async () => {
    const { text, list } = await imported(written('small.yml', '- { url: https://a.test/, height: 50, width: 9000 }'));
    expect(list.pages[0]).toMatchObject({ height: 100, width: 8000 });
    expect(text).toContain('# height: 50 is out of range; 100 is used');
  });

  test('says what it cannot', () => {
    for (const note of [
      'server: start servers with webServer',
      'selectors: only the first element',
      'padding',
      'omit_background: no',
    ]) {
      expect(text).toContain(note);
    }
  });
});
