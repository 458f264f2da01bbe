import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ImageView } from '../../html/view.js';
import { Canvas, type Shown } from './canvas.js';
import { Pane, scrollToPlace, useFit } from './pane.js';
import { isThere } from './stage-state.js';

/** Before and after beside one another, scrolled as one. */
export function Side({ shot, state, scale, onFit }: Shown) {
  const panes = { before: useRef<HTMLElement>(null), after: useRef<HTMLElement>(null) };
  const driven = useRef<HTMLElement | null>(null);
  const sides = (['before', 'after'] as const).flatMap((side) => {
    const image = shot[side];
    return image ? [{ side, image }] : [];
  });
  const canvas = unionOf(sides.map(({ image }) => image));
  const mark = state.region === null ? undefined : shot.marks[state.region];
  // What moved is scrolled as far apart as it moved, so that it stays beside itself.
  const apart = mark?.before && mark.after ? mark.after.y - mark.before.y : 0;
  const own = sides.length === 1 && sides[0] ? sides[0].side : 'after';
  useFit(panes[own], canvas.width, onFit);
  useLayoutEffect(() => {
    const place = mark?.after ?? mark?.before;
    if (!mark || !place) return;
    for (const { side } of sides) scrollToPlace(panes[side].current, mark[side] ?? place, scale);
  }, [state.jumps]);
  const follow = (from: 'before' | 'after') => {
    const [lead, other] = [panes[from].current, panes[from === 'after' ? 'before' : 'after'].current];
    if (!lead || !other) return;
    const isEcho = driven.current === lead;
    driven.current = null;
    if (isEcho) return;
    const [left, top] = [other.scrollLeft, other.scrollTop];
    other.scrollLeft = lead.scrollLeft;
    other.scrollTop = lead.scrollTop + (from === 'after' ? -apart : apart) * scale;
    if (other.scrollLeft !== left || other.scrollTop !== top) driven.current = other;
  };
  if (sides.length === 0) return <p class="none">There is no image.</p>;
  return (
    <div class={`panes of-${sides.length}`}>
      {sides.map(({ side, image }) => (
        <figure key={side}>
          <figcaption>
            <b>{side}</b> <span class="soft">{captionOf(image)}</span>
          </figcaption>
          {isThere(image) ? (
            <Pane label={`${side}, can be scrolled`} pane={panes[side]} onScroll={() => follow(side)}>
              <Canvas
                size={canvas}
                scale={scale}
                layers={[{ image, alt: `${side} image of ${shot.name}` }]}
                places={state.hasMarks ? shot.marks.map((one) => one[side]) : []}
                current={state.region}
              />
            </Pane>
          ) : (
            <p class="none">{image.href === null ? image.caption : <a href={image.href}>Open the {side} file</a>}</p>
          )}
        </figure>
      ))}
    </div>
  );
}

function captionOf({ width, height, caption }: ImageView): string {
  return `${width}x${height} ${caption}`;
}

function unionOf(images: readonly ImageView[]): { width: number; height: number } {
  return {
    width: Math.max(1, ...images.map(({ width }) => width)),
    height: Math.max(1, ...images.map(({ height }) => height)),
  };
}
