import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Rectangle, Size } from '../../model/image.js';
import type { ImageView, RegionView, ShotView } from '../view.js';
import { Canvas, type Layer, scrollToPlace } from './canvas.js';
import { type ComparisonState, isDisplayable } from './comparison-state.js';

interface ArrangementProps {
  readonly shot: ShotView;
  readonly state: ComparisonState;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  readonly onFitScale: (fitScale: number) => void;
  readonly onSlider: (sliderValue: number) => void;
}

export function SideBySide({ shot, state, scale, onFitScale }: ArrangementProps) {
  const panes = { before: useRef<HTMLElement>(null), after: useRef<HTMLElement>(null) };
  const scrolledTo = useRef({ before: NOT_SCROLLED, after: NOT_SCROLLED });
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
  const rememberScroll = () => {
    scrolledTo.current = { before: scrollOf(panes.before.current), after: scrollOf(panes.after.current) };
  };
  const scrollTo = (placeOf: (side: 'before' | 'after') => Rectangle | null | undefined) => {
    for (const { side } of sides) {
      const place = placeOf(side);
      if (place) scrollToPlace(panes[side].current, place, scale);
    }
    rememberScroll();
  };
  // The first element of a cause that is pointed at is in sight.
  useLayoutEffect(() => scrollTo((side) => boxes[0]?.[side]), [state.cause]);
  useLayoutEffect(
    () => scrollTo((side) => region?.[side] ?? region?.after ?? region?.before ?? shot.moves[0]?.[side]),
    [state.selections],
  );
  const syncScroll = (from: 'before' | 'after') => {
    const [source, target] = [panes[from].current, panes[from === 'after' ? 'before' : 'after'].current];
    if (!source || !target) return;
    // Setting a scroll position fires `scroll` too. A pane that is where code scrolled it was not scrolled by the user.
    const { left, top } = scrollOf(source);
    if (scrolledTo.current[from].left === left && scrolledTo.current[from].top === top) return;
    target.scrollLeft = left;
    // The selected region stays at the same height in both panes.
    target.scrollTop = top + (from === 'after' ? -movedBy(region) : movedBy(region)) * scale;
    rememberScroll();
  };
  if (sides.length === 0) return <p class="no-image">This shot has no image.</p>;
  return (
    <div class="side-by-side">
      {sides.map(({ side, image }) => (
        <figure key={side}>
          <figcaption>
            <b>{side}</b> <span class="muted">{`${image.width}x${image.height} ${image.caption}`}</span>
          </figcaption>
          {isDisplayable(image) ? (
            <Canvas
              label={`${side} image, scrollable`}
              pane={panes[side]}
              size={size}
              scale={scale}
              onFitScale={onFitScale}
              onScroll={() => syncScroll(side)}
              layers={[{ image, alt: `${side} image of ${shot.name}` }]}
              marks={state.showsMarks ? shot.regions.map((one) => one[side]) : []}
              selected={state.region}
              moves={state.showsMarks ? shot.moves.flatMap((move) => move[side] ?? []) : []}
              frames={boxes.flatMap((box) => box[side] ?? [])}
            />
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

const NOT_SCROLLED = { left: 0, top: 0 };

function scrollOf(pane: HTMLElement | null): { readonly left: number; readonly top: number } {
  return pane ? { left: pane.scrollLeft, top: pane.scrollTop } : NOT_SCROLLED;
}

/** Returns how far a region moved down from before to after, in image pixels; 0 if it is not in both. */
function movedBy(region: RegionView | undefined): number {
  return region?.before && region.after ? region.after.y - region.before.y : 0;
}

/** Shows before and after on top of each other (slider, flip, onion skin), or the diff image. */
export function Overlay({ shot, state, scale, onFitScale, onSlider }: ArrangementProps) {
  const pane = useRef<HTMLElement>(null);
  const { size, layers, marks, note } = state.mode === 'diff' ? layOutDiff(shot) : layOut(shot, state);
  const place = state.region === null ? null : marks[state.region];
  useLayoutEffect(() => {
    if (place) scrollToPlace(pane.current, place, scale);
  }, [state.selections, state.mode]);
  const drag = (event: PointerEvent) => {
    const canvas = pane.current?.firstElementChild?.getBoundingClientRect();
    if (!canvas || state.mode !== 'slider' || event.buttons !== 1) return;
    onSlider(Math.min(100, Math.max(0, (100 * (event.clientX - canvas.left)) / canvas.width)));
  };
  return (
    <>
      {note && <p class="muted note">{note}</p>}
      <Canvas
        label={`${state.mode} view, scrollable`}
        pane={pane}
        size={size}
        scale={scale}
        onFitScale={onFitScale}
        onPointer={drag}
        layers={layers}
        marks={state.showsMarks ? marks : []}
        selected={state.region}
      >
        {state.mode === 'slider' && <span class="divider" style={{ left: `${state.sliderValue}%` }} />}
      </Canvas>
    </>
  );
}

interface Layout {
  readonly size: Size;
  readonly layers: readonly Layer[];
  readonly marks: readonly (Rectangle | null)[];
  readonly note?: string;
}

function layOutDiff({ images: { diff }, regions, name }: ShotView): Layout {
  const layers = diff ? [{ image: diff, alt: `diff image of ${name}` }] : [];
  return { size: diff ?? { width: 1, height: 1 }, layers, marks: regions.map((region) => region.diff) };
}

/** Arranges the images. If the selected region moved, offsets one image so that the region has the same position in both. */
function layOut(shot: ShotView, state: ComparisonState): Layout {
  const { regions, name } = shot;
  const { before, after } = shot.images;
  if (!before || !after) return layOutDiff(shot);
  const moved = movedBy(state.region === null ? undefined : regions[state.region]);
  const tops = { before: Math.max(0, moved), after: Math.max(0, -moved) };
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height + tops.before, after.height + tops.after);
  const [front, back] = state.isFlipped ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const shifted = `The ${moved > 0 ? 'before' : 'after'} image is shifted down to align it.`;
  const layerOf = (side: 'before' | 'after', image: ImageView): Layer => {
    const style = layerStyle(state, side, width / image.width);
    return { image, alt: `${side} image of ${name}`, top: tops[side], style };
  };
  return {
    size: { width, height },
    layers: [layerOf('before', before), layerOf('after', after)],
    marks: regions.map((region) => {
      const side = region[front] ? front : back;
      const place = region[side];
      return place && { ...place, y: place.y + tops[side] };
    }),
    ...(moved !== 0 && { note: `This region moved ${Math.abs(moved)} px. ${shifted}` }),
  };
}

/** @param widthRatio width of the canvas, divided by that of the image */
function layerStyle(
  { mode, sliderValue, isFlipped }: ComparisonState,
  side: 'before' | 'after',
  widthRatio: number,
): Record<string, string> {
  if (mode === 'flip') return { visibility: isFlipped === (side === 'before') ? 'visible' : 'hidden' };
  if (mode === 'onion') return side === 'after' ? { opacity: String(sliderValue / 100) } : {};
  const divider = Math.min(100, sliderValue * widthRatio);
  // Before is clipped, too. Otherwise it would show through transparent pixels of after.
  return { clipPath: side === 'before' ? `inset(0 ${100 - divider}% 0 0)` : `inset(0 0 0 ${divider}%)` };
}
