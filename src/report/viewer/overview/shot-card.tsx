import { useState } from 'preact/hooks';
import type { ImageView, ShotView } from '../../html/view.js';
import type { Frame, Item } from '../page-data.js';
import { type ApprovalContext, addressOf } from '../page-data.js';
import { commandFor, commandForGroup } from '../review/decide.js';
import { Decide, Decided } from '../review/decision.js';
import { Picture } from '../shot/canvas.js';
import { Badges } from './badges.js';

interface Properties {
  readonly item: Item;
  /** All shots of its group, shown or not. */
  readonly members: readonly Frame[];
  readonly desk: ApprovalContext;
}

/** One frame of the contact sheet: a shot, or a group by its first. */
export function ShotCard({ item, members, desk }: Properties) {
  const { first, group, frames, size } = item;
  const { shot } = first;
  const shots = members.map((member) => member.shot);
  const command = group === null ? commandFor(shots) : commandForGroup(group);
  return (
    <li class={`contact ${shot.status}`}>
      <Open frame={first} desk={desk} />
      {group !== null && <p class="same">The same change on {size} shots</p>}
      {frames.length > 1 && <Others frames={frames.slice(1)} desk={desk} />}
      <p class="why">{shot.reason}</p>
      {(desk.decide || group !== null) && (
        <Decide shots={shots} what={group === null ? '' : `all ${size}`} desk={desk} command={command} />
      )}
    </li>
  );
}

function Open({ frame, desk }: { frame: Frame; desk: ApprovalContext }) {
  const { shot } = frame;
  return (
    <a href={addressOf(frame)}>
      <Thumbnail shot={shot} />
      <span class="caption">
        <b>{shot.name}</b> <span class="soft">{shot.projectName}</span>
      </span>
      <span class="badges">
        <Badges shot={shot} />
        <Decided shot={shot} desk={desk} />
      </span>
    </a>
  );
}

/** The other shots of a group: made only when somebody wants to see them. */
function Others({ frames, desk }: { frames: readonly Frame[]; desk: ApprovalContext }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{frames.length === 1 ? '1 other' : `${frames.length} others`}</summary>
      {isOpen && (
        <ul class="others">
          {frames.map((frame) => (
            <li key={frame.index}>
              <Open frame={frame} desk={desk} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

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
