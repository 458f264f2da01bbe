import { useMemo } from 'preact/hooks';
import type { ImageView } from '../view.js';
import { sourceOf } from './read-page.js';

interface Properties {
  readonly image: ImageView;
  readonly alt: string;
  readonly class?: string;
  readonly style?: Record<string, string>;
}

/** One image, loaded when it comes into sight; its place is kept for it. */
export function Picture({ image, alt, ...rest }: Properties) {
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
