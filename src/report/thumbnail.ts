import type { ShotView } from './view.js';

/** Chooses what a card of the overview shows: an image of the shot, at the height of what changed first. Null if no image is shown. */
export function chooseCardImage({ images, ...shot }: Pick<ShotView, 'images' | 'regions' | 'moves'>) {
  const side = images.after?.isPicture ? 'after' : images.diff ? 'diff' : 'before';
  const image = images[side];
  if (!image?.isPicture) return null;
  const regions = shot.regions.flatMap((region) => region[side] ?? []);
  const moves = shot.moves.flatMap((move) => (side === 'diff' ? [] : (move[side] ?? [])));
  const first = regions[0] ?? moves[0];
  const center = first ? first.y + Math.min(first.height, image.width) / 2 : 0;
  return { side, regions, moves, center } as const;
}
