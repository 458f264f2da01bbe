import { useState } from 'preact/hooks';
import { listSome, renderCountOf } from '../../model/text.js';
import { chooseCardImage, type ShotView } from '../view.js';
import { boxOf, renderFrames, ShotImage } from './canvas.js';
import { Badges, DecisionButtons } from './decisions.js';
import { hashOf, type ReviewItem, useReport } from './report-context.js';

export function ShotCard({ item: { first, others, members } }: { item: ReviewItem }) {
  const { decide } = useReport().approval;
  const { group } = first;
  const names = members.map(({ name, projectName }) => (projectName === '' ? name : `${name} [${projectName}]`));
  return (
    <li class="shot-card">
      {group !== undefined && <ChangeTitle group={group} count={members.length} />}
      <ShotLink shot={first} />
      <p class="card-url">{first.url}</p>
      <p class="card-reason">{first.what}</p>
      <Rejections shots={members} />
      {group !== undefined && <p class="card-url">{listSome(names, 5)}</p>}
      {others.length > 0 && <OtherShots shots={others} />}
      {(decide || group !== undefined) && <DecisionButtons shots={members} group={group} />}
    </li>
  );
}

/** Names a group by the number that a comment and `approve --group` take. */
export function ChangeTitle({ group, count }: { group: string; count: number }) {
  return (
    <p class="group-title">
      Change {group}: the same on {count} shots
    </p>
  );
}

/** Says who rejected the same change before. A decision of this run has its reason beside the buttons. */
export function Rejections({ shots }: { shots: readonly ShotView[] }) {
  const { decidedOf } = useReport().approval;
  const texts = new Set(shots.flatMap((shot) => (decidedOf(shot) ? [] : (shot.rejection?.text ?? []))));
  const shown = [...texts].slice(0, 3).map((text) => (
    <p key={text} class="rejected">
      {text}
    </p>
  ));
  return <>{shown}</>;
}

function ShotLink({ shot }: { shot: ShotView }) {
  return (
    <a href={hashOf(shot)}>
      <Thumbnail shot={shot} />
      <span class="caption">
        <b>{shot.name}</b> <span class="muted">{shot.projectName}</span>
      </span>
      <Badges shot={shot} />
    </a>
  );
}

/** Shows the other shots of a group. Renders them only while the list is open, because a group can be large. */
function OtherShots({ shots }: { shots: readonly ShotView[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{renderCountOf(shots.length, 'other shot')}</summary>
      {isOpen && (
        <ul class="other-shots">
          {shots.map((shot) => (
            <li key={shot.index}>
              <ShotLink shot={shot} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Distance of the first region from the top of the thumbnail, in CSS pixels. About half the height of `.thumbnail`. */
const THUMBNAIL_CENTER = 100;

function Thumbnail({ shot }: { shot: ShotView }) {
  const card = chooseCardImage(shot);
  const image = shot.images[card?.side ?? 'before'];
  if (!card || image?.href === undefined) {
    return <span class="thumbnail no-image">{image?.caption ?? 'no image'}</span>;
  }
  const { regions, moves, center } = card;
  const transform = `translateY(min(0px, calc(${(-100 * center) / image.height}% + ${THUMBNAIL_CENTER}px)))`;
  const inPercent = (length: number, axis: 'width' | 'height') => `${(100 * length) / image[axis]}%`;
  const { thumbnail } = shot;
  return (
    <span class="thumbnail">
      <span class="thumbnail-image" style={{ transform, aspectRatio: `${image.width} / ${image.height}` }}>
        <ShotImage image={{ ...image, ...thumbnail }} alt="" style={thumbnail ? boxOf(thumbnail, inPercent) : {}} />
        {renderFrames('thumbnail-mark', regions, inPercent)}
        {renderFrames('thumbnail-mark move-frame', moves, inPercent)}
      </span>
    </span>
  );
}
