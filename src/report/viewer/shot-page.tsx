import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShotView } from '../view.js';
import { initialState, reduce, selectRegion } from './comparison-state.js';
import { ComparisonView } from './comparison-view.js';
import { Badges } from './decisions.js';
import { Details } from './details.js';
import { SHOT_SHORTCUTS, ShortcutsDialog, type ShotAction, useShortcuts } from './keyboard-shortcuts.js';
import { type IndexedShot, membersOf, useReport } from './report-context.js';

/** Shows a single shot: its images, regions, details and attempts. */
export function ShotPage({ shot }: { shot: IndexedShot }) {
  const { shots, visible, approval, open } = useReport();
  const { attempts } = shot;
  const heading = useRef<HTMLHeadingElement>(null);
  // The final attempt has no images of its own. Without attempts, this is -1.
  const [selected, setSelected] = useState(() => attempts.findLastIndex(({ images }) => !images));
  const shown = shotAt(shot, selected);
  const [state, setState] = useState(() => initialState(shown));
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [fitScale, setFitScale] = useState(1);
  const members = membersOf(shot, shots);
  const position = visible.findIndex(({ index }) => index === shot.index);
  const [previous, next] = [visible[position - 1], position < 0 ? undefined : visible[position + 1]];
  const selectAttempt = (attempt: number) => {
    if (attempts.length === 0) return;
    setSelected(attempt % attempts.length);
    setState(initialState(shotAt(shot, attempt % attempts.length)));
  };
  const onAction = (action: ShotAction) => {
    switch (action) {
      case 'help':
        return setHelpOpen(true);
      case 'back':
        return open(null);
      case 'next':
        return next && open(next);
      case 'previous':
        return previous && open(previous);
      case 'next-attempt':
        return selectAttempt(selected + 1);
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
        return setState((now) => reduce(now, action, shown, fitScale));
    }
  };
  useShortcuts(SHOT_SHORTCUTS, onAction, (action) => {
    if (action === 'flip') setState((now) => ({ ...now, isFlipped: false }));
  });
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="shot-page">
      <nav class="shot-nav" aria-label="Shots">
        <button type="button" onClick={() => onAction('back')}>
          All shots
        </button>
        <button type="button" disabled={!previous} onClick={() => onAction('previous')}>
          Previous
        </button>
        <button type="button" disabled={!next} onClick={() => onAction('next')}>
          Next
        </button>
        {position >= 0 && <span class="muted">{`${position + 1} of ${visible.length}`}</span>}
        <button type="button" class="help-button" aria-label="Keyboard shortcuts" onClick={() => onAction('help')}>
          ?
        </button>
      </nav>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {shot.name}
        </h1>
        <span class="muted">{shot.projectName}</span>
        <Badges shot={shot} />
      </div>
      {shown.reason && <p class="reason">{shown.reason}</p>}
      {attempts.length > 0 && (
        <fieldset class="attempts" aria-label="Attempts">
          {attempts.map(({ status }, index) => (
            <button
              key={`${index + 1}`}
              type="button"
              aria-pressed={index === selected}
              onClick={() => selectAttempt(index)}
            >
              Attempt {index + 1}: {status}
            </button>
          ))}
        </fieldset>
      )}
      <div class="shot-layout">
        <ComparisonView
          shot={shown}
          state={state}
          fitScale={fitScale}
          onFitScale={setFitScale}
          onState={setState}
          onAction={onAction}
        />
        <Details
          shot={shown}
          members={members}
          region={state.region}
          onCause={(cause) => setState((now) => ({ ...now, cause }))}
          onRegion={(region) => setState((now) => selectRegion(now, shown, region))}
        />
      </div>
      {isHelpOpen && <ShortcutsDialog shortcuts={SHOT_SHORTCUTS} onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

/** Returns the shot with the images of an attempt. The record has the regions and the causes of the final attempt only. */
function shotAt(shot: ShotView, index: number): ShotView {
  const attempt = shot.attempts[index];
  if (!attempt?.images) return shot;
  return { ...shot, images: attempt.images, reason: attempt.reason, regions: [], causes: [] };
}
