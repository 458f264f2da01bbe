import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ArrangementProps, Canvas, movedBy, Pane, scrollToPlace, useFitScale } from './canvas.js';
import { isDisplayable } from './comparison-state.js';

export function SideBySide({ shot, state, scale, onFitScale }: ArrangementProps) {
  const panes = { before: useRef<HTMLElement>(null), after: useRef<HTMLElement>(null) };
  const scrolledByCode = useRef<HTMLElement | null>(null);
  const sides = (['before', 'after'] as const).flatMap((side) => {
    const image = shot.images[side];
    return image ? [{ side, image }] : [];
  });
  const size = {
    width: Math.max(1, ...sides.map(({ image }) => image.width)),
    height: Math.max(1, ...sides.map(({ image }) => image.height)),
  };
  const boxes = state.cause === null ? [] : (shot.causes[state.cause]?.boxes ?? []);
  const region = state.region === null ? undefined : shot.regions[state.region];
  // The selected region stays at the same height in both panes.
  const moved = movedBy(region);
  useFitScale(panes[sides.at(-1)?.side ?? 'after'], size.width, onFitScale);
  useLayoutEffect(() => {
    // The first element of a cause that is pointed at is in sight.
    for (const { side } of sides) {
      const place = boxes[0]?.[side];
      if (place) scrollToPlace(panes[side].current, place, scale);
    }
  }, [state.cause]);
  useLayoutEffect(() => {
    for (const { side } of sides) {
      const place = region?.[side] ?? region?.after ?? region?.before ?? shot.moves[0]?.[side];
      if (place) scrollToPlace(panes[side].current, place, scale);
    }
  }, [state.selections]);
  const syncScroll = (from: 'before' | 'after') => {
    const [source, target] = [panes[from].current, panes[from === 'after' ? 'before' : 'after'].current];
    if (!source || !target) return;
    // Setting a scroll position fires `scroll` too. Ignore that event, or the panes would scroll each other forever.
    const isOwnEvent = scrolledByCode.current === source;
    scrolledByCode.current = null;
    if (isOwnEvent) return;
    const [left, top] = [target.scrollLeft, target.scrollTop];
    target.scrollLeft = source.scrollLeft;
    target.scrollTop = source.scrollTop + (from === 'after' ? -moved : moved) * scale;
    if (target.scrollLeft !== left || target.scrollTop !== top) scrolledByCode.current = target;
  };
  if (sides.length === 0) return <p class="no-image">This shot has no image.</p>;
  return (
    <div class={sides.length === 2 ? 'side-by-side two-columns' : 'side-by-side'}>
      {sides.map(({ side, image }) => (
        <figure key={side}>
          <figcaption>
            <b>{side}</b> <span class="muted">{`${image.width}x${image.height} ${image.caption}`}</span>
          </figcaption>
          {isDisplayable(image) ? (
            <Pane label={`${side} image, scrollable`} pane={panes[side]} onScroll={() => syncScroll(side)}>
              <Canvas
                size={size}
                scale={scale}
                layers={[{ image, alt: `${side} image of ${shot.name}` }]}
                marks={state.showsMarks ? shot.regions.map((one) => one[side]) : []}
                selected={state.region}
                moves={state.showsMarks ? shot.moves.flatMap((move) => move[side] ?? []) : []}
                frames={boxes.flatMap((box) => box[side] ?? [])}
              />
            </Pane>
          ) : (
            <p class="no-image">
              {image.href === undefined ? image.caption : <a href={image.href}>Open the {side} file</a>}
            </p>
          )}
        </figure>
      ))}
    </div>
  );
}
