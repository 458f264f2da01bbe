import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Rectangle, Size } from '../../model/image.js';
import type { ImageView } from '../view.js';
import { sourceOf } from './report-context.js';

/** Room around a canvas for the frames of regions at its edges, in CSS pixels: the padding of `.pane`. */
const PANE_PADDING = 8;

/** Minimum distance from a rectangle to the top and left edge of the pane after scrolling, in CSS pixels. */
const SCROLL_MARGIN = 40;

/** Scrolls a pane to a rectangle of its canvas: to its center, or to its top left corner if it is larger than the pane. */
export function scrollToPlace(pane: HTMLElement | null, { x, y, width, height }: Rectangle, scale: number): void {
  if (!pane) return;
  const offset = (start: number, length: number, paneLength: number) =>
    start * scale - Math.max(SCROLL_MARGIN, (paneLength - length * scale) / 2);
  const [left, top] = [offset(x, width, pane.clientWidth), offset(y, height, pane.clientHeight)];
  pane.scrollTo({ left: left + PANE_PADDING, top: top + PANE_PADDING, behavior: 'instant' });
}

type LengthOf = (length: number, axis: 'width' | 'height') => string;

export function boxOf({ x, y, width, height }: Rectangle, lengthOf: LengthOf) {
  return {
    left: lengthOf(x, 'width'),
    top: lengthOf(y, 'height'),
    width: lengthOf(width, 'width'),
    height: lengthOf(height, 'height'),
  };
}

/** Draws frames around places of an image. */
export function renderFrames(kind: string, places: readonly Rectangle[], lengthOf: LengthOf) {
  return places.map((place, index) => <span key={`${index + 1}`} class={kind} style={boxOf(place, lengthOf)} />);
}

export interface Layer {
  readonly image: ImageView;
  readonly alt: string;
  /** Offset from the top of the canvas, in image pixels. @default 0 */
  readonly top?: number;
  readonly style?: Record<string, string>;
}

interface CanvasProps {
  readonly label: string;
  readonly pane: RefObject<HTMLElement | null>;
  readonly size: Size;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  /** Called with the scale at which the canvas fits the width of the pane, at most 1, and again when the pane is resized. */
  readonly onFitScale: (fitScale: number) => void;
  /** The last one is on top. */
  readonly layers: readonly Layer[];
  /** Positions of the region marks; null for a region that is not on this canvas. */
  readonly marks: readonly (Rectangle | null)[];
  readonly selected: number | null;
  readonly frames?: readonly Rectangle[];
  readonly moves?: readonly Rectangle[];
  readonly onScroll?: () => void;
  /** Called when a pointer is pressed or moved. */
  readonly onPointer?: (event: PointerEvent) => void;
  readonly children?: ComponentChildren;
}

/** Height of a mark's label above the mark, in CSS pixels. */
const LABEL_HEIGHT = 22;

/** Shows images on top of each other in a pane that scrolls, aligned at the left, with numbered region marks. */
export function Canvas({ label, pane, size, scale, onFitScale, layers, marks, selected, ...rest }: CanvasProps) {
  const { frames = [], moves = [], onScroll, onPointer, children } = rest;
  const px = (length: number) => `${length * scale}px`;
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const measure = () => onFitScale(Math.min(1, (element.clientWidth - 2 * PANE_PADDING) / size.width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [size.width, onFitScale]);
  return (
    <section
      class="pane"
      ref={pane}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
    >
      <div class={scale > 1 ? 'canvas magnified' : 'canvas'} style={{ width: px(size.width), height: px(size.height) }}>
        {layers.map(({ image, alt, top = 0, style = {} }) => (
          <ShotImage
            key={alt}
            image={image}
            alt={alt}
            style={{ width: px(image.width), height: px(image.height), top: px(top), ...style }}
          />
        ))}
        {renderFrames('element-frame', frames, px)}
        {renderFrames('move-frame', moves, px)}
        {marks.map(
          (place, index) =>
            place && (
              <span
                key={`${index + 1}`}
                class={`mark ${index === selected ? 'current' : ''} ${place.y * scale < LABEL_HEIGHT ? 'label-below' : ''}`}
                style={boxOf(place, px)}
              >
                <b class="mark-label">{index + 1}</b>
              </span>
            ),
        )}
        {children}
      </div>
    </section>
  );
}

export function ShotImage({ image: { href = '', width, height }, alt, style = {} }: Omit<Layer, 'top'>) {
  const source = useMemo(() => href && sourceOf(href), [href]);
  const lazy = { loading: 'lazy', decoding: 'async', draggable: false } as const;
  return <img src={source} alt={alt} width={width} height={height} style={style} {...lazy} />;
}
