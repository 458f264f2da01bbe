import { describe, expect, test } from 'vitest';
import type { ShotFieldsInput } from '../../../src/model/page-fields.js';
import { applyStory } from '../../../src/shot/load-page.js';
import { shotOf } from './specimens.js';

const story = { id: 'card--plain', viewports: ['desktop', 'phone'], modes: [] };

/** The shot of a story in the viewport `desktop`. The list sets an element. */
function storyShot(fields: ShotFieldsInput = { threshold: 0.2, element: '.list', delay: 2 }) {
  const listed = shotOf(fields, { viewport: 'desktop' });
  return { ...listed, capture: { ...listed.capture, story } };
}

describe('the parameters of a story', () => {
  test.each<[object, object]>([
    [{}, {}],
    [{ delay: 0.25, skip: null, element: null }, { delayMs: 250 }],
    [{ element: '.card' }, { element: '.card', fullSize: false, cropsStory: false }],
    [
      { element: '.card', fullSize: false },
      { element: '.card', fullSize: false, cropsStory: false },
    ],
    [{ fullSize: true }, { element: null, fullSize: true, cropsStory: false }],
    [{ fullSize: false }, { element: null, fullSize: false, cropsStory: false }],
  ])('replace the fields of the list for its image: %j', (parameters, settings) => {
    expect(applyStory(storyShot(), parameters).settings).toEqual(settings);
  });

  test.each([
    [{ treshold: 0.1 }, 'unknown option "treshold". Did you mean "threshold"?'],
    [{ skip: true }, '"skip" must be a string, not true. Skips the page for this reason, such as "not yet finished".'],
    [
      { viewports: ['dekstop'] },
      '`viewports` has "dekstop", which the page list does not name. Did you mean "desktop"?',
    ],
    [{ modes: ['dark'] }, '`modes` has "dark", which the page list does not name. Define it under `modes` in the page'],
    ['off', 'the options are "off", expected an object. Write { threshold: 0.01 }, for example.'],
  ])('are an error that names the story, what is wrong and what to do: %j', (parameters, message) => {
    expect(() => applyStory(storyShot(), parameters)).toThrow(
      `parameters.proofsheet of the story "card--plain": ${message}`,
    );
  });

  test('are an error if they contradict the list', () => {
    const printed = storyShot({ format: 'pdf' });
    expect(() => applyStory(printed, { element: '.card' })).toThrow(
      '"element" cannot be used with "format: pdf". Remove it',
    );
  });
});
