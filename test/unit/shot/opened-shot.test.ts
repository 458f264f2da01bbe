import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import { createOpenedShot } from '../../../src/shot/opened-shot.js';

type Call = Parameters<typeof createOpenedShot>;

function open(name: Call[0]['name'], options: Call[1] = {}, config: Call[2] = {}) {
  return createOpenedShot({ spec: 'shop/cart', name, url: 'http://a/' }, options, config);
}

describe('the name in a call of toMatchBaseline', () => {
  test.each([
    ['home', 'shop/cart/home', 'home', null, 'png'],
    ['home.png', 'shop/cart/home.png', 'home', ['home.png'], 'png'],
    ['home.v2.jpg', 'shop/cart/home.v2.jpg', 'home.v2', ['home.v2.jpg'], 'jpg'],
    ['a/b.webp', 'shop/cart/a/b.webp', 'a/b', ['a/b.webp'], 'webp'],
    [['a', 'b.jpeg'], 'shop/cart/a/b.jpeg', 'a/b', ['a', 'b.jpeg'], 'jpeg'],
    [['a', 'b'], 'shop/cart/a/b', 'a/b', null, 'png'],
    ['version 1.5', 'shop/cart/version 1.5', 'version 1.5', null, 'png'],
    ['invoice.pdf', 'shop/cart/invoice.pdf', 'invoice.pdf', null, 'png'],
    ['.png', 'shop/cart/.png', '.png', null, 'png'],
    ['a/.png', 'shop/cart/a/.png', 'a/.png', null, 'png'],
  ])('%j is a file only with the extension of an image', (name, id, page, file, format) => {
    const opened = open(name);
    const parts = file ?? [...page.split('/').slice(0, -1), expect.stringMatching(/\.png$/)];
    expect(opened.shot).toMatchObject({ id, page, capture: { format }, baseline: { parts, perEnvironment: false } });
  });

  test('and `format` must not contradict each other', () => {
    expect(open('menu.jpg', { format: 'jpeg' }).shot.capture.format).toBe('jpeg');
    expect(open('menu', { format: 'jpeg' }).shot.baseline.parts).toEqual(['menu.jpeg']);
    expect(() => open('home.png', { format: 'webp' })).toThrow(
      "toMatchBaseline('home.png'): the name ends with .png, but `format` is webp. Remove one of them.",
    );
  });
});

describe('expect.toHaveScreenshot of the config', () => {
  test('sets limits, scale, format, animations and caret; a call overrides them', () => {
    const limits = { threshold: 0.2, maxDiffPixels: 7, maxDiffPixelRatio: 0.5, scale: 'device' };
    const config = { ...limits, type: 'webp', animations: 'allow', caret: 'initial', pathTemplate: '{arg}{ext}' };
    const { shot, unused } = open('home', {}, config);
    expect(unused).toEqual([]);
    expect(shot.compare).toMatchObject({ threshold: 0.2, maxDiffPixels: 7, maxDiffPixelRatio: 0.5 });
    expect(shot.capture).toMatchObject({ scale: 'device', format: 'webp' });
    expect(shot.capture.settle).toEqual({ ...DEFAULTS.settle, animations: false, caret: false });

    const called = open('home.png', { threshold: 0.1, scale: 'css', settle: { caret: true } }, config).shot;
    expect(called.compare).toMatchObject({ threshold: 0.1, maxDiffPixels: 7 });
    expect(called.capture).toMatchObject({ scale: 'css', format: 'png' });
    expect(called.capture.settle).toMatchObject({ animations: false, caret: true });
  });

  test('changes nothing where it sets what is the default here', () => {
    const config = { animations: 'disabled', caret: 'hide', scale: 'css', type: 'png', threshold: undefined };
    expect(open('home', {}, config)).toEqual(open('home'));
  });

  test('has options without a meaning here, which are named', () => {
    expect(open('home', {}, { stylePath: 'a.css', timeout: 5, maxDiffPixels: 1 }).unused).toEqual([
      'stylePath',
      'timeout',
    ]);
  });

  test('is named in the error about a value that is not valid', () => {
    expect(() => open('home', {}, { maxDiffPixels: -1 })).toThrow(
      /^expect\.toHaveScreenshot in the Playwright config: .*maxDiffPixels/,
    );
  });
});
