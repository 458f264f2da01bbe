import type { Rectangle } from '../model/index.js';
import type { ShotView } from './view.js';

/** What a card of the overview shows: an image of the shot, at the height of what changed first. */
export interface CardImage {
  readonly side: 'before' | 'after' | 'diff';
  /** The regions on this image, then the places of content that moved. */
  readonly regions: readonly Rectangle[];
  readonly moves: readonly Rectangle[];
  /** The height to show, in pixels of the image; 0 is its top. */
  readonly center: number;
}

/** Chooses the image of a card. Null if the shot has no image that a browser shows. */
export function chooseCardImage({ images, ...shot }: Pick<ShotView, 'images' | 'regions' | 'moves'>): CardImage | null {
  const side = images.after?.isPicture ? 'after' : images.diff ? 'diff' : 'before';
  const image = images[side];
  if (!image?.isPicture) return null;
  const regions = shot.regions.flatMap((region) => region[side] ?? []);
  const moves = shot.moves.flatMap((move) => (side === 'diff' ? [] : (move[side] ?? [])));
  const first = regions[0] ?? moves[0];
  return { side, regions, moves, center: first ? first.y + Math.min(first.height, image.width) / 2 : 0 };
}
