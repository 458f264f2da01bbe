import { useEffect, useRef, useState } from 'preact/hooks';
import { DecisionBadge, StatusBadges } from '../badges.js';
import { type Action, SHOT_SHORTCUTS, ShortcutsDialog, useShortcuts } from '../keyboard-shortcuts.js';
import { type IndexedShot, shotsOfGroup } from '../page-data.js';
import type { ApprovalContext } from '../review/approval.js';
import { AttemptButtons, useAttempts } from './attempts.js';
import { initialState, modesOf, reduce, selectRegion } from './comparison-state.js';
import { ComparisonView } from './comparison-view.js';
import { Details } from './details.js';

interface ShotPageProps {
  readonly shot: IndexedShot;
  /** Shots that pass the filter of the overview. `next` and `previous` step through them. */
  readonly visible: readonly IndexedShot[];
  readonly all: readonly IndexedShot[];
  readonly approval: ApprovalContext;
  /** Opens a shot, or the overview if null. */
  readonly onOpen: (shot: IndexedShot | null) => void;
}

/** Shows a single shot: its images, regions, details and attempts. */
export function ShotPage({ shot, visible, all, approval, onOpen }: ShotPageProps) {
  const attempts = useAttempts(shot);
  const heading = useRef<HTMLHeadingElement>(null);
  const [state, setState] = useState(() => initialState(modesOf(attempts.shot)));
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [fitScale, setFitScale] = useState(1);
  const context = { regionCount: attempts.shot.regions.length, modes: modesOf(attempts.shot), fitScale };
  const members = shot.group === null ? [shot] : shotsOfGroup(all, shot.group);
  const position = visible.findIndex(({ index }) => index === shot.index);
  const step = (by: number) => {
    const target = visible[position + by];
    if (position >= 0 && target) onOpen(target);
  };
  const selectAttempt = (attempt: number) => {
    if (attempt >= shot.attempts.length) return;
    attempts.select(attempt);
    setState(initialState(modesOf(attempts.shotAt(attempt))));
  };
  const onAction = (action: Action) => {
    switch (action) {
      case 'help':
        return setHelpOpen(true);
      case 'back':
        return onOpen(null);
      case 'next':
        return step(1);
      case 'previous':
        return step(-1);
      case 'next-attempt':
        return selectAttempt(attempts.next);
      case 'undo':
        return approval.undo?.();
      case 'approve':
        return approval.decide?.('approved', [shot]);
      case 'reject':
        return approval.decide?.('rejected', [shot]);
      case 'approve-group':
        return approval.decide?.('approved', members);
      case 'reject-group':
        return approval.decide?.('rejected', members);
      default:
        return setState((previous) => reduce(previous, action, context));
    }
  };
  const onRelease = (action: Action) => {
    if (action === 'flip') setState((previous) => ({ ...previous, isFlipped: false }));
  };
  useShortcuts(SHOT_SHORTCUTS, onAction, onRelease);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="shot-page">
      <nav class="shot-nav" aria-label="Shots">
        <button type="button" onClick={() => onOpen(null)}>
          All shots
        </button>
        <button type="button" disabled={position < 1} onClick={() => step(-1)}>
          Previous
        </button>
        <button type="button" disabled={position < 0 || position >= visible.length - 1} onClick={() => step(1)}>
          Next
        </button>
        {position >= 0 && (
          <span class="muted">
            {position + 1} of {visible.length}
          </span>
        )}
        <button type="button" class="help-button" aria-label="Keys" onClick={() => setHelpOpen(true)}>
          ?
        </button>
      </nav>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {shot.name}
        </h1>
        <span class="muted">{shot.projectName}</span>
        <StatusBadges shot={shot} />
        <DecisionBadge shot={shot} approval={approval} />
      </div>
      {attempts.reason && <p class="reason">{attempts.reason}</p>}
      <AttemptButtons shot={shot} selected={attempts.selected} onSelect={selectAttempt} />
      <div class="shot-layout">
        <ComparisonView
          shot={attempts.shot}
          state={state}
          fitScale={fitScale}
          onFitScale={setFitScale}
          onState={setState}
          onAction={onAction}
        />
        <Details
          shot={attempts.shot}
          members={members}
          region={state.region}
          approval={approval}
          onRegion={(region) => setState((previous) => selectRegion(previous, context, region))}
        />
      </div>
      {isHelpOpen && <ShortcutsDialog shortcuts={SHOT_SHORTCUTS} onClose={() => setHelpOpen(false)} />}
    </main>
  );
}
