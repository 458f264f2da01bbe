import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Rectangle, Size } from '../../../model/image.js';
import type { ImageView, ShotView } from '../../html/view.js';
import { sourceOf } from '../page-data.js';
import type { StageState } from './stage-state.js';

/** What each way of showing a shot is given. */
export interface Shown {
  readonly shot: ShotView;
  readonly state: StageState;
  readonly scale: number;
  readonly onFit: (fit: number) => void;
}

/** An image on the canvas. */
export interface Layer {
  readonly image: ImageView;
  readonly alt: string;
  /** How far down it lies, in its pixels. @default 0 */
  readonly top?: number;
  readonly style?: Record<string, string>;
}

interface Properties {
  readonly size: Size;
  readonly scale: number;
  readonly layers: readonly Layer[];
  /** Where the regions lie; null: not on this canvas. */
  readonly places: readonly (Rectangle | null)[];
  readonly current: number | null;
  readonly children?: ComponentChildren;
}

/** How much room the number of a mark takes above it, in CSS pixels. */
const LABEL = 22;

/** Images laid over one another at their top left corners, the last on top, and the marks of regions. */
export function Canvas({ size, scale, layers, places, current, children }: Properties) {
  const px = (length: number) => `${length * scale}px`;
  return (
    <div class={scale > 1 ? 'canvas large' : 'canvas'} style={{ width: px(size.width), height: px(size.height) }}>
      {layers.map(({ image, alt, top = 0, style = {} }) => (
        <Picture
          key={alt}
          image={image}
          alt={alt}
          style={{ width: px(image.width), height: px(image.height), top: px(top), ...style }}
        />
      ))}
      {places.map(
        (place, index) =>
          place && (
            <span
              key={`${index + 1}`}
              class={`mark ${index === current ? 'current' : ''} ${place.y * scale < LABEL ? 'low' : ''}`}
              style={{ left: px(place.x), top: px(place.y), width: px(place.width), height: px(place.height) }}
            >
              <b>{index + 1}</b>
            </span>
          ),
      )}
      {children}
    </div>
  );
}

interface PictureProperties {
  readonly image: ImageView;
  readonly alt: string;
  readonly class?: string;
  readonly style?: Record<string, string>;
}

/** One image, loaded when it comes into sight; its place is kept for it. */
export function Picture({ image, alt, ...rest }: PictureProperties) {
  const source = useMemo(() => (image.href === null ? '' : sourceOf(image.href)), [image.href]);
  return (
    <img
      src={source}
      alt={alt}
      width={image.width}
      height={image.height}
      loading="lazy"
      decoding="async"
      draggable={false}
      {...rest}
    />
  );
}
