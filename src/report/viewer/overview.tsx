import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Decision } from '../../model/run-record.js';
import { renderCountOf } from '../../model/text.js';
import { renderDecisions } from '../verdict.js';
import type { ShotView } from '../view.js';
import { APPROVE, approveCommandFor } from './approval.js';
import { Badges, DecisionButtons } from './decisions.js';
import { type Filter, Filters } from './filters.js';
import { useShortcuts } from './keyboard-shortcuts.js';
import { hashOf, isUndecided, itemsOf, type ReviewItem, useReport } from './report-context.js';
import { ShotCard } from './shot-card.js';

interface OverviewProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** The list of passed shots. Its state is kept while a shot is open. */
  readonly passed: { readonly isOpen: boolean; readonly onToggle: (isOpen: boolean) => void };
  /** The shot that was open last. Its card gets the focus. */
  readonly lastOpened: ShotView | null;
}

/** Shows all shots of a run: cards of the shots that need review (worst first), and a table of all others. */
export function Overview({ filter, onFilter, passed, lastOpened }: OverviewProps) {
  const { view, visible, approval } = useReport();
  const { shots } = view;
  const others = visible.filter(({ needsReview }) => !needsReview);
  const items = useMemo(() => itemsOf(visible, shots), [visible, shots]);
  const undecided = visible.filter((shot) => shot.isDecidable && !approval.decidedOf(shot));
  const count = renderCountOf(shots.length, 'shot');
  const isFiltered = visible.length < shots.length;
  // Preact skips a card that is the same object as before.
  const cards = useMemo(() => items.map((item) => <ShotCard key={item.first.index} item={item} />), [items]);
  const help = useOverviewShortcuts(items);
  useLayoutEffect(() => {
    const link = lastOpened && linkTo(lastOpened);
    link?.scrollIntoView({ block: 'center' });
    link?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <RunHeader />
      <main>
        <Filters shots={shots} filter={filter} onFilter={onFilter}>
          {help.button}
        </Filters>
        <p role="status">{isFiltered ? `${visible.length} of ${count} shown` : count}</p>
        {undecided.length > 1 && (
          <DecisionButtons
            shots={undecided}
            target={`all ${undecided.length} shown`}
            confirms
            command={isFiltered ? approveCommandFor(undecided) : `${APPROVE} --all`}
          />
        )}
        <ul class="shot-cards" aria-label="Shots that did not pass">
          {cards}
        </ul>
        {others.length > 0 && (
          <details
            class="passed-shots"
            open={passed.isOpen}
            onToggle={(event) => passed.onToggle(event.currentTarget.open)}
          >
            <summary>{`${renderCountOf(others.length, 'shot')} need${others.length === 1 ? 's' : ''} no review`}</summary>
            {passed.isOpen && <MetricsTable shots={others} />}
          </details>
        )}
        {shots.length > 1 && <SlowestShots />}
        <footer>
          proofsheet {view.version}. Data of this run: <a href="results.json">results.json</a>
        </footer>
      </main>
      {help.dialog}
    </>
  );
}

/** The current item is the card that contains the focus. */
function useOverviewShortcuts(items: readonly ReviewItem[]) {
  const { approval, open } = useReport();
  const findCurrent = () =>
    items.findIndex(({ first }) => linkTo(first)?.closest('li')?.contains(document.activeElement));
  const focus = (index: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item) linkTo(item.first)?.focus();
  };
  const openCurrent = () => {
    const item = items[findCurrent()] ?? items.find((one) => isUndecided(one, approval)) ?? items[0];
    if (item) open(item.first);
  };
  const decide = (decision: Decision) => approval.decide?.(decision, items[findCurrent()]?.members ?? []);
  const search = () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
  return useShortcuts([
    { keys: ['j', ']'], description: 'next shot or group', onPress: () => focus(findCurrent() + 1) },
    { keys: ['k', '['], description: 'previous shot or group', onPress: () => focus(findCurrent() - 1) },
    { keys: ['Enter'], description: 'open the shot, or the first undecided one', onPress: openCurrent },
    { keys: ['/'], description: 'search', onPress: search },
    { keys: ['a'], description: 'approve the shot or the group', onPress: () => decide('approved') },
    { keys: ['x'], description: 'reject the shot or the group', onPress: () => decide('rejected') },
    { keys: ['u'], description: 'undo the newest decision', onPress: () => approval.undo?.() },
  ]);
}

function linkTo(shot: ShotView): HTMLAnchorElement | null {
  return document.querySelector(`a[href="${hashOf(shot)}"]`);
}

function RunHeader() {
  const { view, approval } = useReport();
  // What was chosen for a comment is not decided yet.
  const decisionOf = (shot: ShotView) =>
    approval.comment === null ? approval.decidedOf(shot)?.decision : shot.decision;
  const reviewed = view.shots.map((shot) => ({ ...shot, decision: decisionOf(shot) ?? null }));
  const decisions = renderDecisions(reviewed);
  const isApproved = reviewed.every((shot) => !shot.needsReview || shot.decision === 'approved');
  const isFine = view.isGreen || (decisions !== null && isApproved && view.problems.length === 0);
  return (
    <header>
      <h1 class={isFine ? 'passed' : 'error'}>{decisions ?? view.verdict}</h1>
      {decisions && <p>Result of the run: {view.verdict}. Run the tests again to check the approved baselines.</p>}
      <p class="muted">{view.scope}</p>
      {view.options && (
        <p>
          Options: <code>{view.options}</code>
        </p>
      )}
      <ul class="counts" aria-label="Counts">
        {view.counts.map(({ name, count }) => (
          <li key={name}>
            <b>{count}</b> {name}
          </li>
        ))}
      </ul>
      {view.problems.map(({ what, advice }) => (
        <div key={what} class="problem">
          <p>
            <b>{what}</b>
          </p>
          <p class="muted">{advice}</p>
        </div>
      ))}
      {view.notices.map((notice) => (
        <p key={notice}>{notice}.</p>
      ))}
      {view.omittedImages && <p class="problem omitted-images">{view.omittedImages}</p>}
    </header>
  );
}

const MAX_SLOWEST = 10;

function SlowestShots() {
  const slowest = useReport().view.shots.toSorted((a, b) => b.durationMs - a.durationMs);
  return (
    <details class="slowest-shots">
      <summary>Slowest shots</summary>
      <ul>
        {slowest.slice(0, MAX_SLOWEST).map((shot) => (
          <li key={shot.index}>
            <a href={hashOf(shot)}>{shot.name}</a> <span class="muted">{shot.spent}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const METRICS = ['mismatch, px', 'total, px', 'anti-aliased, px', 'fails above', 'duration'];

function MetricsTable({ shots }: { shots: readonly ShotView[] }) {
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            {['status', 'shot', 'project', ...METRICS].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shots.map((shot) => (
            <tr key={shot.index}>
              <td>
                <Badges shot={shot} />
              </td>
              <td>
                <a href={hashOf(shot)}>{shot.name}</a>
                {remarksOn(shot).map((remark) => remark && <p class="muted">{remark}</p>)}
              </td>
              <td>{shot.projectName}</td>
              {shot.metrics.map((text, index) => (
                <td key={METRICS[index]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function remarksOn({ reason, details }: ShotView): string[] {
  return [reason, ...details.filter(({ name }) => name === 'warning').map(({ text }) => text)];
}
