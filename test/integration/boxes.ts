/** The color of everything that is to be masked, hidden or removed. */
export const LIME = '#00ff00';

/** The style of pages whose parts lie at fixed places. Elements of the class `m` are to be masked. */
export const STYLE = `<style>
  html, body { margin: 0; background: #fff }
  .m { position: absolute; background: ${LIME} }
  .at { position: absolute; box-sizing: content-box }
  iframe { position: absolute; border: 3px solid #333; padding: 4px; box-sizing: content-box }
</style>`;

/** Renders a rectangle at a place. */
export function box(x: number, y: number, width: number, height: number, more = 'class="m"', inner = ''): string {
  const style = `position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px;`;
  return `<div ${more.includes('style="') ? more.replace('style="', `style="${style}`) : `${more} style="${style}"`}>${inner}</div>`;
}
