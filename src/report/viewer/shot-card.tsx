import { useState } from 'preact/hooks';
import { listSome } from '../../model/text.js';
import type { ShotView } from '../view.js';
import { approveCommandFor, approveGroupCommandFor } from './approval.js';
import { boxOf, ShotImage } from './canvas.js';
import { Badges, DecisionButtons } from './decisions.js';
import { hashOf, type IndexedShot, type ReviewItem, useReport } from './report-context.js';

/** Shows a shot or a group in the overview: thumbnail, name, badges, URL, reason, and decision buttons. */
export function ShotCard({ item: { first, others, members } }: { item: ReviewItem }) {
  const { decide } = useReport().approval;
  const { group } = first;
  const names = members.map(({ name, projectName }) => (projectName === '' ? name : `${name} [${projectName}]`));
  return (
    <li class="shot-card">
      <ShotLink shot={first} />
      <p class="card-url">{first.url}</p>
      <p class="card-reason">{first.what}</p>
      {group !== undefined && (
        <>
          <p class="group-title">The same change on {members.length} shots</p>
          <p class="card-url">{listSome(names, 5)}</p>
        </>
      )}
      {others.length > 0 && <OtherShots shots={others} />}
      {group === undefined ? (
        decide && <DecisionButtons shots={members} command={approveCommandFor(members)} />
      ) : (
        <DecisionButtons shots={members} target={`all ${members.length}`} command={approveGroupCommandFor(group)} />
      )}
    </li>
  );
}

function ShotLink({ shot }: { shot: IndexedShot }) {
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
function OtherShots({ shots }: { shots: readonly IndexedShot[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{shots.length === 1 ? '1 other shot' : `${shots.length} other shots`}</summary>
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

/** Shows the part of a shot with its first region. Outlines all regions, and what moved. */
function Thumbnail({ shot }: { shot: ShotView }) {
  const { after, diff, before } = shot.images;
  const side = after?.isPicture ? 'after' : diff ? 'diff' : 'before';
  const image = side === 'before' && !before?.isPicture ? undefined : shot.images[side];
  if (image?.href === undefined) return <span class="thumbnail no-image">{image?.caption ?? 'no image'}</span>;
  const regions = shot.regions.flatMap((region) => region[side] ?? []);
  const moves = shot.moves.flatMap((move) => (side === 'diff' ? [] : (move[side] ?? [])));
  const places = [...regions, ...moves];
  const [first] = places;
  const center = first ? (first.y + Math.min(first.height, image.width) / 2) / image.height : 0;
  const transform = `translateY(min(0px, calc(${-100 * center}% + ${THUMBNAIL_CENTER}px)))`;
  return (
    <span class="thumbnail">
      <span class="thumbnail-image" style={{ transform }}>
        <ShotImage image={image} alt="" />
        {places.map((place, index) => (
          <span
            key={`${index} ${place.x},${place.y}`}
            class={index < regions.length ? 'thumbnail-mark' : 'thumbnail-mark moved'}
            style={boxOf(place, (length, axis) => `${(100 * length) / image[axis]}%`)}
          />
        ))}
      </span>
    </span>
  );
}
