import { inspectImage } from '../../.build/image/inspect.js';
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
 * @param ask - returns the declarations to look up, of a structure
 */
export async function observe(page, state, ask) {
  const image = await shoot(page);
  const settings = { format: 'png' };
  const request = { isNeeded: () => true, redact: (text) => text, ask };
  const place = ({ x, y, width, height }) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
  };
  const started = performance.now();
  const structure = await readStructure(
    { page, state, settings },
    request,
    {
      image,
      excluded: [],
      placement: async () => place,
      isStable: true,
      broken: [],
    },
    new Map(),
  );
  return { image, structure, readMs: performance.now() - started };
}

/** Two equal images in a row. */
async function shoot(page) {
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
