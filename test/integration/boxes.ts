import type { Exclusion } from '../../src/model/environment.js';
import type { Rectangle } from '../../src/model/image.js';

/** The color of everything that is to be masked, hidden or removed. */
export const LIME = '#00ff00';

/** The style of pages whose parts lie at fixed places. Elements of the class `m` are to be masked. */
export const STYLE = `<style>
  html, body { margin: 0; background: #fff }
  .m { position: absolute; background: ${LIME} }
  .at { position: absolute; box-sizing: content-box }
  iframe { position: absolute; border: 3px solid #333; padding: 4px; box-sizing: content-box }
</style>`;

export function box(x: number, y: number, width: number, height: number, more = 'class="m"', inner = ''): string {
  const style = `position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px;`;
  return `<div ${more.includes('style="') ? more.replace('style="', `style="${style}`) : `${more} style="${style}"`}>${inner}</div>`;
}

/** The rectangles of masks or ignored areas, from the top left to the bottom right. */
export function rectanglesOf(exclusions: readonly Exclusion[]): Rectangle[] {
  return sorted(exclusions.flatMap(({ rectangles }) => rectangles));
}

export function sorted(boxes: readonly Rectangle[]): Rectangle[] {
  return [...boxes].sort((a, b) => a.y - b.y || a.x - b.x);
}
