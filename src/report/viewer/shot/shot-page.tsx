import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, Help, SHOT_KEYS, useKeys } from '../keys.js';
import { Badges } from '../overview/badges.js';
import type { ApprovalContext } from '../page-data.js';
import { type Frame, membersOf } from '../page-data.js';
import { Decided } from '../review/decision.js';
import { Attempts, Details, useAttempts } from './details.js';
import { Stage } from './stage.js';
import { firstState, jumpTo, modesOf, reduce } from './stage-state.js';

interface Properties {
  readonly frame: Frame;
  /** Those that the overview shows: the ones to step through. */
  readonly frames: readonly Frame[];
  readonly all: readonly Frame[];
  readonly desk: ApprovalContext;
  readonly onOpen: (frame: Frame | null) => void;
}

/** One shot: its images laid over and beside one another, its regions, and all that is known of it. */
export function ShotPage({ frame, frames, all, desk, onOpen }: Properties) {
  const { shot } = frame;
  const attempts = useAttempts(shot);
  const heading = useRef<HTMLHeadingElement>(null);
  const [state, setState] = useState(() => firstState(modesOf(attempts.shown)));
  const [isHelped, setHelped] = useState(false);
  const [fit, setFit] = useState(1);
  const around = { regions: attempts.shown.marks.length, modes: modesOf(attempts.shown), fit };
  const group = shot.group === null ? [frame] : membersOf(all, shot.group);
  const at = frames.findIndex(({ index }) => index === frame.index);
  const step = (by: number) => {
    const next = frames[at + by];
    if (at >= 0 && next) onOpen(next);
  };
  const act = (action: Action) => {
    if (action === 'help') setHelped(true);
    else if (action === 'back') onOpen(null);
    else if (action === 'next') step(1);
    else if (action === 'previous') step(-1);
    else if (action === 'attempt') turnTo(attempts.next);
    else if (action === 'undo') desk.undo?.();
    else if (action === 'approve') desk.decide?.('approved', [shot]);
    else if (action === 'reject') desk.decide?.('rejected', [shot]);
    else if (action === 'approve-group')
      desk.decide?.(
        'approved',
        group.map((member) => member.shot),
      );
    else if (action === 'reject-group')
      desk.decide?.(
        'rejected',
        group.map((member) => member.shot),
      );
    else setState((now) => reduce(now, action, around));
  };
  const turnTo = (attempt: number) => {
    if (attempt >= shot.attempts.length) return;
    attempts.choose(attempt);
    setState(firstState(modesOf(attempts.viewOf(attempt))));
  };
  const unflip = (action: Action) => {
    if (action === 'flip') setState((now) => ({ ...now, isFlipped: false }));
  };
  useKeys(SHOT_KEYS, act, unflip);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="shot-page">
      <nav class="bar" aria-label="Shots">
        <button type="button" onClick={() => onOpen(null)}>
          All shots
        </button>
        <button type="button" disabled={at < 1} onClick={() => step(-1)}>
          Previous
        </button>
        <button type="button" disabled={at < 0 || at >= frames.length - 1} onClick={() => step(1)}>
          Next
        </button>
        {at >= 0 && (
          <span class="soft">
            {at + 1} of {frames.length}
          </span>
        )}
        <button type="button" class="keys" aria-label="Keys" onClick={() => setHelped(true)}>
          ?
        </button>
      </nav>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {shot.name}
        </h1>
        <span class="soft">{shot.projectName}</span>
        <Badges shot={shot} />
        <Decided shot={shot} desk={desk} />
      </div>
      {attempts.reason && <p class="reason">{attempts.reason}</p>}
      <Attempts shot={shot} chosen={attempts.chosen} onChoose={turnTo} />
      <div class="table">
        <Stage shot={attempts.shown} state={state} fit={fit} onFit={setFit} onState={setState} onAct={act} />
        <Details
          shot={attempts.shown}
          group={group}
          region={state.region}
          desk={desk}
          onRegion={(region) => setState((now) => jumpTo(now, around, region))}
        />
      </div>
      {isHelped && <Help bindings={SHOT_KEYS} onClose={() => setHelped(false)} />}
    </main>
  );
}
