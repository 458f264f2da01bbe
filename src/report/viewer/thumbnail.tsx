import type { ImageView, ShotView } from '../view.js';
import { Picture } from './picture.js';

/** Shows the part of a shot where its first change is, with its regions marked. */
export function Thumbnail({ shot }: { shot: ShotView }) {
  const [image, side] = imageFor(shot);
  if (!image || image.href === null) return <span class="thumbnail none">{image?.caption ?? 'no image'}</span>;
  const marks = shot.marks.flatMap((mark) => mark[side] ?? []);
  const [first] = marks;
  const middle = first ? (first.y + Math.min(first.height, image.width) / 2) / image.height : 0;
  const share = (length: number, of: number) => `${(100 * length) / of}%`;
  return (
    <span class="thumbnail">
      <span class="film" style={{ transform: `translateY(min(0px, calc(${-100 * middle}% + 90px)))` }}>
        <Picture image={image} alt="" />
        {marks.map(({ x, y, width, height }) => (
          <span
            key={`${x},${y}`}
            class="spot"
            style={{
              left: share(x, image.width),
              top: share(y, image.height),
              width: share(width, image.width),
              height: share(height, image.height),
            }}
          />
        ))}
      </span>
    </span>
  );
}

/** What is there now; of a PDF, which is no picture, its diff. */
function imageFor({ before, after, diff }: ShotView): [ImageView | null, 'before' | 'after' | 'diff'] {
  if (after?.isPicture) return [after, 'after'];
  if (diff) return [diff, 'diff'];
  return before?.isPicture ? [before, 'before'] : [null, 'after'];
}
