import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShotView } from '../view.js';
import { type ComparisonAction, initialState, reduce, selectRegion } from './comparison-state.js';
import { ComparisonView } from './comparison-view.js';
import { Badges, DecisionButtons } from './decisions.js';
import { useShortcuts } from './keyboard-shortcuts.js';
import { isUndecided, itemsOf, membersOf, type ReviewItem, useReport } from './report-context.js';
import { ChangeTitle, Rejections } from './shot-card.js';

export function ShotPage({ shot }: { shot: ShotView }) {
  const { view, visible, approval, open } = useReport();
  const { attempts } = shot;
  const heading = useRef<HTMLHeadingElement>(null);
  // The final attempt has no images of its own. Without attempts, this is -1.
  const [selected, setSelected] = useState(() => attempts.findLastIndex(({ images }) => !images));
  const shown = shotAt(shot, selected);
  const [state, setState] = useState(() => initialState(shown));
  const [fitScale, setFitScale] = useState(1);
  const members = membersOf(shot, view.shots);
  const items = itemsOf(visible, view.shots);
  const item = items.findIndex((one) => one.members.includes(shot));
  const position = visible.findIndex(({ index }) => index === shot.index);
  const [previous, next] = [visible[position - 1], position < 0 ? undefined : visible[position + 1]];
  const targets = Object.entries({ Previous: previous, Next: next, 'Next change': items[item + 1]?.first });
  const selectAttempt = (attempt: number) => {
    setSelected(attempt);
    setState(initialState(shotAt(shot, attempt)));
  };
  const nextAttempt = () => attempts.length > 0 && selectAttempt((selected + 1) % attempts.length);
  const openItem = (target: ReviewItem | undefined) => target && open(target.first);
  const openUndecided = () => {
    // After the last one comes the first; after all are decided, the overview.
    const others = [...items.slice(item + 1), ...items.slice(0, Math.max(0, item))];
    const undecided = others.find((one) => isUndecided(one, approval));
    if (undecided || others.length === 0) openItem(undecided);
    else open(null);
  };
  const onAction = (action: ComparisonAction) => setState((now) => reduce(now, action, shown, fitScale));
  const act = (action: ComparisonAction) => () => onAction(action);
  const flip = () => setState((now) => ({ ...reduce(now, 'flip', shown, fitScale), isFlipped: true }));
  const unflip = () => setState((now) => ({ ...now, isFlipped: false }));
  const help = useShortcuts([
    { keys: ['j'], description: 'next shot', onPress: () => next && open(next) },
    { keys: ['k'], description: 'previous shot', onPress: () => previous && open(previous) },
    { keys: [']'], description: 'next group, or single shot', onPress: () => openItem(items[item + 1]) },
    {
      keys: ['['],
      description: 'previous group, or single shot',
      onPress: () => openItem(items[Math.max(0, item) - 1]),
    },
    { keys: ['Enter'], description: 'next group or shot without a decision', onPress: openUndecided },
    { keys: ['n'], description: 'next region, at 1:1', onPress: act('next-region') },
    { keys: ['p'], description: 'previous region', onPress: act('previous-region') },
    { keys: ['s'], description: 'side by side', onPress: act('side') },
    { keys: ['l'], description: 'slider', onPress: act('slider') },
    { keys: ['f'], description: 'flip (hold to show the before image)', onPress: flip, onRelease: unflip },
    { keys: ['o'], description: 'onion skin', onPress: act('onion') },
    { keys: ['d'], description: 'diff image', onPress: act('diff') },
    { keys: [','], description: 'move the slider towards before', onPress: act('slider-left') },
    { keys: ['.'], description: 'move the slider towards after', onPress: act('slider-right') },
    { keys: ['0'], description: 'fit to width', onPress: act('zoom-fit') },
    { keys: ['1'], description: 'actual size (1:1)', onPress: act('zoom-actual') },
    { keys: ['+', '='], description: 'zoom in', onPress: act('zoom-in') },
    { keys: ['-'], description: 'zoom out', onPress: act('zoom-out') },
    { keys: ['m'], description: 'show or hide the region marks', onPress: act('toggle-marks') },
    { keys: ['t'], description: 'next attempt of a flaky shot', onPress: nextAttempt },
    { keys: ['a'], description: 'approve the shot', onPress: () => approval.decide?.('approved', [shot]) },
    { keys: ['x'], description: 'reject the shot', onPress: () => approval.decide?.('rejected', [shot]) },
    { keys: ['A'], description: 'approve the group', onPress: () => approval.decide?.('approved', members) },
    { keys: ['X'], description: 'reject the group', onPress: () => approval.decide?.('rejected', members) },
    { keys: ['u'], description: 'undo the newest decision', onPress: () => approval.undo?.() },
    { keys: ['Escape'], description: 'back to all shots', onPress: () => open(null) },
  ]);
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="shot-page">
      <nav class="shot-nav" aria-label="Shots">
        <button type="button" onClick={() => open(null)}>
          All shots
        </button>
        {targets.map(([label, target]) => (
          <button key={label} type="button" disabled={!target} onClick={() => target && open(target)}>
            {label}
          </button>
        ))}
        {position >= 0 && <span class="muted">{`${position + 1} of ${visible.length}`}</span>}
        {help.button}
      </nav>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {shot.name}
        </h1>
        <span class="muted">{shot.projectName}</span>
        <Badges shot={shot} />
      </div>
      {shown.what && shown.causes.length === 0 && <p class="reason">{shown.what}</p>}
      <Rejections shots={[shot]} />
      {attempts.length > 0 && (
        <fieldset class="attempts" aria-label="Attempts">
          {attempts.map(({ status }, index) => (
            <button
              key={status + index}
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
      {help.dialog}
    </main>
  );
}

/** Returns the shot with the images of an attempt. The record has the regions and the causes of the final attempt only. */
function shotAt(shot: ShotView, index: number): ShotView {
  const attempt = shot.attempts[index];
  if (!attempt?.images) return shot;
  return { ...shot, images: attempt.images, what: attempt.reason, regions: [], moves: [], causes: [] };
}

interface DetailsProps {
  readonly shot: ShotView;
  /** All shots of the group, including this one. */
  readonly members: readonly ShotView[];
  readonly region: number | null;
  readonly onRegion: (region: number) => void;
  /** Called with the index of the cause that is pointed at or focused; null when it is left. */
  readonly onCause: (cause: number | null) => void;
}

function Details({ shot, members, region, onRegion, onCause }: DetailsProps) {
  return (
    <aside aria-label="Details">
      <DecisionButtons shots={[shot]} />
      {shot.group !== undefined && members.length > 1 && (
        <div class="group">
          <ChangeTitle group={shot.group} count={members.length} />
          <DecisionButtons shots={members} group={shot.group} />
        </div>
      )}
      {shot.causes.length > 0 && <h2>Causes</h2>}
      <ol class="regions causes">
        {shot.causes.map(({ text, parts, sharedWith }, index) => (
          <li key={`${index} ${text}`}>
            <button
              type="button"
              onMouseEnter={() => onCause(index)}
              onMouseLeave={() => onCause(null)}
              onFocus={() => onCause(index)}
              onBlur={() => onCause(null)}
            >
              {parts?.map((part, at) => (part.isChanged ? <mark key={`${at + 1}`}>{part.text}</mark> : part.text)) ??
                text}
              {sharedWith && <span class="muted"> (as change {sharedWith})</span>}
            </button>
          </li>
        ))}
      </ol>
      {shot.regions.length > 0 && <h2>Regions</h2>}
      <ol class="regions">
        {shot.regions.map(({ text }, index) => (
          <li key={text}>
            <button type="button" aria-current={region === index} onClick={() => onRegion(index)}>
              <b>{index + 1}</b> {text}
            </button>
          </li>
        ))}
      </ol>
      <dl class="details">
        {shot.details.map(({ name, text, href }) => (
          <div key={name + text}>
            <dt>{name}</dt>
            <dd>{href === undefined ? text : <a href={href}>{text}</a>}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
