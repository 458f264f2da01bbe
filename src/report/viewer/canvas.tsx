import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Rectangle, Size } from '../../model/image.js';
import type { ImageView, RegionView, ShotView } from '../view.js';
import type { ComparisonState } from './comparison-state.js';
import { sourceOf } from './report-context.js';

/** Props of each arrangement of the images. */
export interface ArrangementProps {
  readonly shot: ShotView;
  readonly state: ComparisonState;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  readonly onFitScale: (fitScale: number) => void;
}

interface PaneProps {
  readonly label: string;
  readonly pane: RefObject<HTMLElement | null>;
  readonly onScroll?: () => void;
  readonly children: ComponentChildren;
}

/** Renders the scroll container of a canvas. It is focusable, so that the keyboard can scroll it. */
export function Pane({ label, pane, onScroll, children }: PaneProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section class="pane" ref={pane} aria-label={label} tabIndex={0} {...(onScroll && { onScroll })}>
      {children}
    </section>
  );
}

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

/** Reports the scale at which a canvas fits the width of a pane, at most 1. Reports it again when the pane is resized. */
export function useFitScale(pane: RefObject<HTMLElement | null>, width: number, onFitScale: (scale: number) => void) {
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const measure = () => onFitScale(Math.min(1, (element.clientWidth - 2 * PANE_PADDING) / width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane, width, onFitScale]);
}

/** Returns how far a region moved down from before to after, in image pixels; 0 if it is not in both. */
export function movedBy(region: RegionView | undefined): number {
  return region?.before && region.after ? region.after.y - region.before.y : 0;
}

/** Returns the style of a box at a rectangle. @param lengthOf converts image pixels to a CSS length */
export function boxOf(
  { x, y, width, height }: Rectangle,
  lengthOf: (length: number, axis: 'width' | 'height') => string,
) {
  return {
    left: lengthOf(x, 'width'),
    top: lengthOf(y, 'height'),
    width: lengthOf(width, 'width'),
    height: lengthOf(height, 'height'),
  };
}

export interface Layer {
  readonly image: ImageView;
  readonly alt: string;
  /** Offset from the top of the canvas, in image pixels. @default 0 */
  readonly top?: number;
  readonly style?: Record<string, string>;
}

interface CanvasProps {
  readonly size: Size;
  readonly scale: number;
  /** The last one is on top. */
  readonly layers: readonly Layer[];
  /** Positions of the region marks; null for a region that is not on this canvas. */
  readonly marks: readonly (Rectangle | null)[];
  readonly selected: number | null;
  readonly frames?: readonly Rectangle[];
  /** Positions of content that moved. */
  readonly moves?: readonly Rectangle[];
  readonly children?: ComponentChildren;
}

/** Height of a mark's label above the mark, in CSS pixels. */
const LABEL_HEIGHT = 22;

/** Shows images on top of each other, aligned at the left, with numbered region marks. */
export function Canvas({ size, scale, layers, marks, selected, frames = [], moves = [], children }: CanvasProps) {
  const px = (length: number) => `${length * scale}px`;
  return (
    <div class={scale > 1 ? 'canvas magnified' : 'canvas'} style={{ width: px(size.width), height: px(size.height) }}>
      {layers.map(({ image, alt, top = 0, style = {} }) => (
        <ShotImage
          key={alt}
          image={image}
          alt={alt}
          style={{ width: px(image.width), height: px(image.height), top: px(top), ...style }}
        />
      ))}
      {[...frames, ...moves].map((place, index) => (
        <span
          key={`${index + 1}`}
          class={index < frames.length ? 'element-frame' : 'move-frame'}
          style={boxOf(place, px)}
        />
      ))}
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
  );
}

/** Renders an image. Loads it lazily; its width and height reserve the space. */
export function ShotImage({ image: { href = '', width, height }, alt, style = {} }: Omit<Layer, 'top'>) {
  const source = useMemo(() => href && sourceOf(href), [href]);
  const lazy = { loading: 'lazy', decoding: 'async', draggable: false } as const;
  return <img src={source} alt={alt} width={width} height={height} style={style} {...lazy} />;
}
