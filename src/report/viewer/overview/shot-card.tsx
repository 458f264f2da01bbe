import { useState } from 'preact/hooks';
import { listSome } from '../../../model/text.js';
import type { ImageView, ShotView } from '../../html/view.js';
import { DecisionBadge, StatusBadges } from '../badges.js';
import { hashOf, type IndexedShot } from '../page-data.js';
import { type ApprovalContext, approveCommandFor, approveGroupCommandFor } from '../review/approval.js';
import { DecisionButtons } from '../review/decision-buttons.js';
import { ShotImage } from '../shot/canvas.js';

/** The content of a card: a single shot, or a group of shots with the same change. */
export interface ReviewItem {
  /** Null for a single shot. */
  readonly group: string | null;
  /** The shot that the card shows. */
  readonly first: IndexedShot;
  /** The other shots of the group that pass the filter. */
  readonly others: readonly IndexedShot[];
  /** All shots of the group, including those that do not pass the filter. */
  readonly members: readonly IndexedShot[];
}

interface ShotCardProps {
  readonly item: ReviewItem;
  readonly approval: ApprovalContext;
}

/** Shows a shot or a group in the overview: thumbnail, name, badges, URL, reason, and decision buttons. */
export function ShotCard({ item: { group, first, others, members }, approval }: ShotCardProps) {
  const command = group === null ? approveCommandFor(members) : approveGroupCommandFor(group);
  return (
    <li class="shot-card">
      <ShotLink shot={first} approval={approval} />
      <p class="card-url">{first.url}</p>
      <p class="card-reason">{first.reason}</p>
      {group !== null && <GroupTitle members={members} />}
      {others.length > 0 && <OtherShots shots={others} approval={approval} />}
      {(approval.decide || group !== null) && (
        <DecisionButtons
          shots={members}
          target={group === null ? '' : `all ${members.length}`}
          approval={approval}
          command={command}
        />
      )}
    </li>
  );
}

/** Shows the size of a group and the names of its first shots. */
function GroupTitle({ members }: Pick<ReviewItem, 'members'>) {
  const names = members.map(({ name, projectName }) => (projectName === '' ? name : `${name} [${projectName}]`));
  return (
    <>
      <p class="group-title">The same change on {members.length} shots</p>
      <p class="card-url">{listSome(names, 5)}</p>
    </>
  );
}

function ShotLink({ shot, approval }: { shot: IndexedShot; approval: ApprovalContext }) {
  return (
    <a href={hashOf(shot)}>
      <Thumbnail shot={shot} />
      <span class="caption">
        <b>{shot.name}</b> <span class="muted">{shot.projectName}</span>
      </span>
      <span class="badges">
        <StatusBadges shot={shot} />
        <DecisionBadge shot={shot} approval={approval} />
      </span>
    </a>
  );
}

/** Shows the other shots of a group. Renders them only while the list is open, because a group can be large. */
function OtherShots({ shots, approval }: { shots: readonly IndexedShot[]; approval: ApprovalContext }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{shots.length === 1 ? '1 other shot' : `${shots.length} other shots`}</summary>
      {isOpen && (
        <ul class="other-shots">
          {shots.map((shot) => (
            <li key={shot.index}>
              <ShotLink shot={shot} approval={approval} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Shows the part of a shot with its first region. Outlines all regions. */
function Thumbnail({ shot }: { shot: ShotView }) {
  const [image, side] = imageFor(shot);
  if (!image || image.href === null) return <span class="thumbnail no-image">{image?.caption ?? 'no image'}</span>;
  const places = shot.regions.flatMap((region) => region[side] ?? []);
  const [first] = places;
  const center = first ? (first.y + Math.min(first.height, image.width) / 2) / image.height : 0;
  const percent = (length: number, total: number) => `${(100 * length) / total}%`;
  return (
    <span class="thumbnail">
      <span
        class="thumbnail-image"
        style={{ transform: `translateY(min(0px, calc(${-100 * center}% + ${THUMBNAIL_CENTER}px)))` }}
      >
        <ShotImage image={image} alt="" />
        {places.map(({ x, y, width, height }) => (
          <span
            key={`${x},${y}`}
            class="thumbnail-mark"
            style={{
              left: percent(x, image.width),
              top: percent(y, image.height),
              width: percent(width, image.width),
              height: percent(height, image.height),
            }}
          />
        ))}
      </span>
    </span>
  );
}

/** Distance of the first region from the top of the thumbnail, in CSS pixels. About half the height of `.thumbnail`. */
const THUMBNAIL_CENTER = 100;

/** Selects the image of a thumbnail: after, or diff if after is a PDF, or before. */
function imageFor({ before, after, diff }: ShotView): [ImageView | null, 'before' | 'after' | 'diff'] {
  if (after?.isPicture) return [after, 'after'];
  if (diff) return [diff, 'diff'];
  return before?.isPicture ? [before, 'before'] : [null, 'after'];
}
