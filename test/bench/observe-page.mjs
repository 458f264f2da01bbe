import { compareImages } from '../../.build/compare/compare.js';
import { explain } from '../../.build/explain/index.js';
import { inspectImage } from '../../.build/image/inspect.js';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { readStructure } from '../../.build/page/structure/read-structure.js';

/** The truth: the properties of each change, or the kind of cause. */
const TRUTH = {
  'text color moved by 40': ['color'],
  'link color': ['color'],
  'background #fffbe6': ['background-color', 'background-image'],
  'hairline #e5e7eb': ['box-shadow'],
  '2 px of padding': ['padding-left'],
  'one letter': ['reworded'],
  'weight 600': ['font-weight'],
  'opacity .85': ['opacity'],
  'letter-spacing .2px': ['letter-spacing'],
  'shift of 1 px': ['position', 'left'],
  underline: ['text-decoration-line'],
  'dot of 4x4': ['inserted'],
};

/**
 * Takes an image of a page with its structure.
 *
 * @param before - the page as it was: the declarations of what differs are looked up
 */
export async function observe(page, before = null) {
  const image = await shoot(page);
  const settings = { format: 'png' };
  const ask = async (structure) => (before ? explain(before.structure.structure, structure).questions() : []);
  const request = { isNeeded: () => true, redact: (text) => text, ask };
  const place = ({ x, y, width, height }) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
  };
  const started = performance.now();
  const structure = await readStructure(
    { page, session: () => page.context().newCDPSession(page), settings, structure: request, sourceMaps: new Map() },
    {
      image,
      excluded: [],
      placement: async () => place,
      isStable: true,
      broken: [],
    },
  );
  return { image, structure, readMs: performance.now() - started };
}

/** Compares two observed pages by the default rules. @returns null if no pixel differs */
export async function compareObserved(before, after, antialiasing) {
  const { threshold, engine } = DEFAULTS;
  const limits = { maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 };
  const settings = { threshold, engine, ...limits, antialiasing };
  const comparison = await compareImages(before.image, after.image, settings, []);
  return comparison.kind === 'different' ? comparison : null;
}

/** Judges a page by its baseline of another environment, as `environment: auto` does. */
export async function judgeRedrawn(before, after) {
  const comparison = await compareObserved(before, after, 'ignore');
  if (!comparison) return { kind: 'passed' };
  if (!after.structure) return { kind: 'without structure' };
  const explanation = explain(before.structure.structure, after.structure.structure);
  const images = { before: before.image, after: after.image };
  return explanation.redraw(after.structure.answers, { ...comparison, ...images });
}

/** Two equal images in a row, as every tool here takes them. */
export async function shoot(page) {
  let [last, bytes] = [null, await page.screenshot()];
  for (let shots = 1; !last?.equals(bytes); shots++) {
    if (shots > 10) throw new Error(`${page.url()} does not become stable`);
    [last, bytes] = [bytes, await page.screenshot()];
  }
  return inspectImage(bytes).image;
}

/** Runs in the page. */
export function boxOfChange() {
  const { x, y, width, height } = window.changedElement.getBoundingClientRect();
  return { x, y, width, height };
}

/** Checks whether a cause is the change that was made: the element and the property. */
export function isRight(cause, { change, truth }) {
  if (!cause || !TRUTH[change].includes(cause.property ?? cause.kind)) return false;
  return cause.boxes.some(({ after }) => {
    if (!after) return false;
    const isInside =
      after.x >= truth.x - 2 &&
      after.y >= truth.y - 2 &&
      after.x + after.width <= truth.x + truth.width + 2 &&
      after.y + after.height <= truth.y + truth.height + 2;
    // The box of a text lies in the box of its element.
    if (cause.kind === 'reworded') return isInside;
    return isInside && after.width >= truth.width - 2 && after.height >= truth.height - 2;
  });
}
