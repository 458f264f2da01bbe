import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import { DecisionBadge, StatusBadges } from '../badges.js';
import { type Action, SHOT_SHORTCUTS, ShortcutsDialog, useShortcuts } from '../keyboard-shortcuts.js';
import { type IndexedShot, shotsOfGroup } from '../page-data.js';
import type { ApprovalContext } from '../review/approval.js';
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
        <button type="button" class="help-button" aria-label="Keyboard shortcuts" onClick={() => setHelpOpen(true)}>
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
          onCause={(cause) => setState((previous) => ({ ...previous, cause }))}
          onRegion={(region) => setState((previous) => selectRegion(previous, context, region))}
        />
      </div>
      {isHelpOpen && <ShortcutsDialog shortcuts={SHOT_SHORTCUTS} onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

/** The selected attempt of a shot. */
interface SelectedAttempt {
  /** Index of the attempt; -1 if the shot has no attempts. */
  readonly selected: number;
  /** Index of the following attempt. The first one follows the last. */
  readonly next: number;
  readonly select: (attempt: number) => void;
  /** The shot with the images of the selected attempt. */
  readonly shot: ShotView;
  /** Returns the shot with the images of an attempt. */
  readonly shotAt: (attempt: number) => ShotView;
  /** The reason of the attempt's status; empty if there is none. */
  readonly reason: string;
}

/** Selects an attempt of a flaky shot. @default the final attempt */
function useAttempts(shot: ShotView): SelectedAttempt {
  const { attempts } = shot;
  const [selected, select] = useState(() => attempts.findLastIndex(({ images }) => images === null));
  const shotAt = (index: number): ShotView => {
    const images = attempts[index]?.images ?? null;
    // The record has the regions and the causes of the final attempt only.
    return images === null ? shot : { ...shot, ...images, regions: [], causes: [] };
  };
  const attempt = attempts[selected];
  const reason = attempt && attempt.images !== null ? attempt.reason : shot.reason;
  const next = (selected + 1) % Math.max(1, attempts.length);
  return { selected, next, select, shot: shotAt(selected), shotAt, reason };
}

interface AttemptButtonsProps {
  readonly shot: ShotView;
  readonly selected: number;
  readonly onSelect: (attempt: number) => void;
}

/** Shows a button per attempt; nothing if the shot is not flaky. */
function AttemptButtons({ shot, selected, onSelect }: AttemptButtonsProps) {
  if (shot.attempts.length === 0) return null;
  return (
    <fieldset class="attempts" aria-label="Attempts">
      {shot.attempts.map(({ status }, index) => (
        <button key={`${index + 1}`} type="button" aria-pressed={index === selected} onClick={() => onSelect(index)}>
          Attempt {index + 1}: {status}
        </button>
      ))}
    </fieldset>
  );
}
