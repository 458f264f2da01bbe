import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Rectangle, Size } from '../../../model/image.js';
import type { ShotView } from '../../html/view.js';
import { type ArrangementProps, Canvas, type Layer, Pane, scrollToPlace, useFitScale } from './canvas.js';
import type { ComparisonState } from './comparison-state.js';

interface OverlayProps extends ArrangementProps {
  readonly onSlider: (sliderValue: number) => void;
}

/** Shows before and after on top of each other (slider, flip, onion skin), or the diff image. */
export function Overlay({ shot, state, scale, onFitScale, onSlider }: OverlayProps) {
  const pane = useRef<HTMLElement>(null);
  const { size, layers, marks, note } = layOut(shot, state);
  const place = state.region === null ? null : marks[state.region];
  useFitScale(pane, size.width, onFitScale);
  useDividerDrag(pane, state.mode === 'slider', onSlider);
  useLayoutEffect(() => {
    if (place) scrollToPlace(pane.current, place, scale);
  }, [state.selections, state.mode]);
  return (
    <>
      {note && <p class="muted note">{note}</p>}
      <Pane label={`${state.mode} view, scrollable`} pane={pane}>
        <Canvas
          size={size}
          scale={scale}
          layers={layers}
          marks={state.showsMarks && state.mode !== 'diff' ? marks : []}
          selected={state.region}
        >
          {state.mode === 'slider' && <span class="divider" style={{ left: `${state.sliderValue}%` }} />}
        </Canvas>
      </Pane>
    </>
  );
}

interface Layout {
  readonly size: Size;
  readonly layers: readonly Layer[];
  readonly marks: readonly (Rectangle | null)[];
  /** Explains an offset between the layers; empty if there is none. */
  readonly note: string;
}

/** Arranges the images. If the selected region moved, offsets one image so that the region has the same position in both. */
function layOut(shot: ShotView, state: ComparisonState): Layout {
  const { before, after, regions, name } = shot;
  if (state.mode === 'diff' || !before || !after) return layOutDiff(shot);
  const selected = state.region === null ? undefined : regions[state.region];
  const moved = selected?.before && selected.after ? selected.after.y - selected.before.y : 0;
  const tops = { before: Math.max(0, moved), after: Math.max(0, -moved) };
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height + tops.before, after.height + tops.after);
  const [front, back] = state.isFlipped ? (['before', 'after'] as const) : (['after', 'before'] as const);
  return {
    size: { width, height },
    layers: [
      {
        image: before,
        alt: `before image of ${name}`,
        top: tops.before,
        style: beforeStyle(state, width, before.width),
      },
      { image: after, alt: `after image of ${name}`, top: tops.after, style: afterStyle(state, width, after.width) },
    ],
    marks: regions.map((region) => {
      const side = region[front] ? front : back;
      const place = region[side];
      return place && { ...place, y: place.y + tops[side] };
    }),
    note:
      moved === 0
        ? ''
        : `This region moved ${Math.abs(moved)} px. The ${moved > 0 ? 'before' : 'after'} image is shifted down to align it.`,
  };
}

/** Arranges the diff image, or the only image of a shot without a diff. */
function layOutDiff({ before, after, diff, regions, name }: ShotView): Layout {
  const image = diff ?? after ?? before;
  return {
    size: { width: image?.width ?? 1, height: image?.height ?? 1 },
    layers: image ? [{ image, alt: `diff image of ${name}` }] : [],
    marks: regions.map((region) => region.diff),
    note: '',
  };
}

/** Clips before at the divider. Otherwise it would show through transparent pixels of after. Widths are in image pixels. */
function beforeStyle(state: ComparisonState, canvasWidth: number, imageWidth: number): Record<string, string> {
  const { mode, sliderValue, isFlipped } = state;
  if (mode === 'flip') return { visibility: isFlipped ? 'visible' : 'hidden' };
  if (mode !== 'slider') return {};
  return { clipPath: `inset(0 ${Math.max(0, 100 - (sliderValue * canvasWidth) / imageWidth)}% 0 0)` };
}

function afterStyle(state: ComparisonState, canvasWidth: number, imageWidth: number): Record<string, string> {
  const { mode, sliderValue, isFlipped } = state;
  if (mode === 'flip') return { visibility: isFlipped ? 'hidden' : 'visible' };
  if (mode === 'onion') return { opacity: String(sliderValue / 100) };
  return { clipPath: `inset(0 0 0 ${Math.min(100, (sliderValue * canvasWidth) / imageWidth)}%)` };
}

/** Lets a pointer drag the divider. Reports its position in percent of the canvas width. */
function useDividerDrag(
  pane: RefObject<HTMLElement | null>,
  isEnabled: boolean,
  onSlider: (sliderValue: number) => void,
): void {
  useEffect(() => {
    const element = pane.current;
    if (!element || !isEnabled) return;
    const onPointer = (event: PointerEvent) => {
      const canvas = element.firstElementChild?.getBoundingClientRect();
      if (!canvas || event.buttons !== 1) return;
      onSlider(Math.min(100, Math.max(0, (100 * (event.clientX - canvas.left)) / canvas.width)));
    };
    element.addEventListener('pointerdown', onPointer);
    element.addEventListener('pointermove', onPointer);
    return () => {
      element.removeEventListener('pointerdown', onPointer);
      element.removeEventListener('pointermove', onPointer);
    };
  }, [pane, isEnabled, onSlider]);
}
