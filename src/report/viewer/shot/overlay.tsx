import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Rectangle } from '../../../model/image.js';
import { Canvas, type Layer, type Shown } from './canvas.js';
import { Pane, scrollToPlace, useFit } from './pane.js';

interface Properties extends Shown {
  readonly onBalance: (balance: number) => void;
}

/** Before and after over one another, or the diff. */
export function Over({ shot, state, scale, onFit, onBalance }: Properties) {
  const pane = useRef<HTMLElement>(null);
  const laid = layOut({ shot, state });
  const place = state.region === null ? null : laid.places[state.region];
  useFit(pane, laid.size.width, onFit);
  useDrag(pane, state.mode === 'slider', onBalance);
  useLayoutEffect(() => {
    if (place) scrollToPlace(pane.current, place, scale);
  }, [state.jumps, state.mode]);
  return (
    <>
      {laid.note && <p class="soft note">{laid.note}</p>}
      <Pane label={`${state.mode}, can be scrolled`} pane={pane}>
        <Canvas
          size={laid.size}
          scale={scale}
          layers={laid.layers}
          places={state.hasMarks && state.mode !== 'diff' ? laid.places : []}
          current={state.region}
        >
          {state.mode === 'slider' && <span class="divider" style={{ left: `${state.balance}%` }} />}
        </Canvas>
      </Pane>
    </>
  );
}

interface Laid {
  readonly size: { readonly width: number; readonly height: number };
  readonly layers: readonly Layer[];
  readonly places: readonly (Rectangle | null)[];
  readonly note: string;
}

function layOut({ shot, state }: Pick<Shown, 'shot' | 'state'>): Laid {
  const { before, after, diff, marks, name } = shot;
  if (state.mode === 'diff' || !before || !after) {
    const image = diff ?? after ?? before;
    const places = marks.map((mark) => mark.diff);
    const size = { width: image?.width ?? 1, height: image?.height ?? 1 };
    return { size, layers: image ? [{ image, alt: `diff image of ${name}` }] : [], places, note: '' };
  }
  const current = state.region === null ? undefined : marks[state.region];
  const moved = current?.before && current.after ? current.after.y - current.before.y : 0;
  const tops = { before: Math.max(0, moved), after: Math.max(0, -moved) };
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height + tops.before, after.height + tops.after);
  const onTop = state.isFlipped ? 'before' : 'after';
  return {
    size: { width, height },
    layers: [
      {
        image: before,
        alt: `before image of ${name}`,
        top: tops.before,
        style: styleBelow(state, width, before.width),
      },
      { image: after, alt: `after image of ${name}`, top: tops.after, style: styleAbove(state, width, after.width) },
    ],
    places: marks.map((mark) => {
      const side = mark[onTop] ? onTop : onTop === 'after' ? 'before' : 'after';
      const place = mark[side];
      return place && { ...place, y: place.y + tops[side] };
    }),
    note:
      moved === 0 ? '' : `before is laid ${Math.abs(moved)} px ${moved > 0 ? 'lower' : 'higher'}, as this region moved`,
  };
}

/** Before is cut off where after begins: else it would be seen through what is transparent. */
function styleBelow({ mode, balance, isFlipped }: Shown['state'], width: number, own: number): Record<string, string> {
  if (mode === 'flip') return { visibility: isFlipped ? 'visible' : 'hidden' };
  if (mode !== 'slider') return {};
  return { clipPath: `inset(0 ${Math.max(0, 100 - (balance * width) / own)}% 0 0)` };
}

function styleAbove({ mode, balance, isFlipped }: Shown['state'], width: number, own: number): Record<string, string> {
  if (mode === 'flip') return { visibility: isFlipped ? 'hidden' : 'visible' };
  if (mode === 'onion') return { opacity: String(balance / 100) };
  return { clipPath: `inset(0 0 0 ${Math.min(100, (balance * width) / own)}%)` };
}

/** Lets a pointer drag the divider: tells where it is, 0..100 of the canvas' width. */
export function useDrag(
  pane: RefObject<HTMLElement | null>,
  isOn: boolean,
  onBalance: (balance: number) => void,
): void {
  useEffect(() => {
    const element = pane.current;
    if (!element || !isOn) return;
    const follow = (event: PointerEvent) => {
      const canvas = element.firstElementChild?.getBoundingClientRect();
      if (!canvas || event.buttons !== 1) return;
      onBalance(Math.min(100, Math.max(0, (100 * (event.clientX - canvas.left)) / canvas.width)));
    };
    element.addEventListener('pointerdown', follow);
    element.addEventListener('pointermove', follow);
    return () => {
      element.removeEventListener('pointerdown', follow);
      element.removeEventListener('pointermove', follow);
    };
  }, [pane, isOn, onBalance]);
}
