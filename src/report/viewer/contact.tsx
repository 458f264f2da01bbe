import { useState } from 'preact/hooks';
import { addressOf, type Desk } from './app.js';
import { Badges } from './badges.js';
import { commandFor, commandForGroup } from './command.js';
import { Decide, Decided } from './decision.js';
import type { Frame, Item } from './sheet.js';
import { Thumbnail } from './thumbnail.js';

interface Properties {
  readonly item: Item;
  /** All shots of its group, shown or not. */
  readonly members: readonly Frame[];
  readonly desk: Desk;
}

/** One frame of the contact sheet: a shot, or a group by its first. */
export function Contact({ item, members, desk }: Properties) {
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

function Open({ frame, desk }: { frame: Frame; desk: Desk }) {
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
function Others({ frames, desk }: { frames: readonly Frame[]; desk: Desk }) {
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
