import { useLayoutEffect, useState } from 'preact/hooks';
import { renderCountOf } from '../../../model/text.js';
import { renderDecisions } from '../../format/verdict.js';
import type { ReportView } from '../../html/view.js';
import { StatusBadges } from '../badges.js';
import { type Action, OVERVIEW_SHORTCUTS, ShortcutsDialog, useShortcuts } from '../keyboard-shortcuts.js';
import { hashOf, type IndexedShot, shotsOfGroup } from '../page-data.js';
import { APPROVE_ALL_COMMAND, type ApprovalContext, approveCommandFor, keyOf } from '../review/approval.js';
import { DecisionButtons } from '../review/decision-buttons.js';
import { type Filter, Filters } from './filters.js';
import { type ReviewItem, ShotCard } from './shot-card.js';

interface OverviewProps {
  readonly view: ReportView;
  readonly all: readonly IndexedShot[];
  /** Shots that pass the filter. */
  readonly visible: readonly IndexedShot[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** The list of passed shots. Its state is kept while a shot is open. */
  readonly passed: { readonly isOpen: boolean; readonly onToggle: (isOpen: boolean) => void };
  /** The shot that was open last. Its card gets the focus. */
  readonly lastOpened: IndexedShot | null;
  readonly approval: ApprovalContext;
  readonly onOpen: (shot: IndexedShot) => void;
}

/** Shows all shots of a run: cards of the shots that need review (worst first), and a table of all others. */
export function Overview(props: OverviewProps) {
  const { view, all, visible, filter, onFilter, passed, lastOpened, approval, onOpen } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const toReview = visible.filter(({ needsReview }) => needsReview);
  const others = visible.filter(({ needsReview }) => !needsReview);
  const items = groupShots(toReview, all);
  const undecided = toReview.filter((shot) => shot.isDecidable && !approval.decisions.has(keyOf(shot)));
  useShortcuts(OVERVIEW_SHORTCUTS, (action) => {
    handleAction(action, { items, approval, onOpen, onHelp: () => setHelpOpen(true) });
  });
  useLayoutEffect(() => {
    const link = lastOpened && linkTo(lastOpened);
    link?.scrollIntoView({ block: 'center' });
    link?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <RunHeader view={view} approval={approval} />
      <main>
        <Filters shots={all} filter={filter} onFilter={onFilter} onHelp={() => setHelpOpen(true)} />
        <p role="status">
          {visible.length === all.length
            ? renderCountOf(all.length, 'shot')
            : `${visible.length} of ${renderCountOf(all.length, 'shot')} shown`}
        </p>
        {undecided.length > 1 && (
          <DecisionButtons
            shots={undecided}
            target={`all ${undecided.length} shown`}
            confirms
            approval={approval}
            command={visible.length === all.length ? APPROVE_ALL_COMMAND : approveCommandFor(undecided)}
          />
        )}
        <ul class="shot-cards" aria-label="Shots that did not pass">
          {items.map((item) => (
            <ShotCard key={item.first.index} item={item} approval={approval} />
          ))}
        </ul>
        {others.length > 0 && <PassedShots shots={others} {...passed} />}
        {all.length > 1 && <SlowestShots shots={all} />}
        <footer>
          proofsheet {view.version}. Data of this run: <a href="results.json">results.json</a>
        </footer>
      </main>
      {isHelpOpen && <ShortcutsDialog shortcuts={OVERVIEW_SHORTCUTS} onClose={() => setHelpOpen(false)} />}
    </>
  );
}

/** Groups shots with the same change. A group has the position of its first shot. */
function groupShots(shots: readonly IndexedShot[], all: readonly IndexedShot[]): ReviewItem[] {
  const seen = new Set<string>();
  return shots.flatMap((first): ReviewItem[] => {
    const { group } = first;
    if (group === null) return [{ group, first, others: [], members: [first] }];
    if (seen.has(group)) return [];
    seen.add(group);
    const others = shotsOfGroup(shots, group).filter(({ index }) => index !== first.index);
    return [{ group, first, others, members: shotsOfGroup(all, group) }];
  });
}

interface ActionContext {
  readonly items: readonly ReviewItem[];
  readonly approval: ApprovalContext;
  readonly onOpen: (shot: IndexedShot) => void;
  readonly onHelp: () => void;
}

/** Runs an action. The current item is the card that contains the focus. */
function handleAction(action: Action, { items, approval, onOpen, onHelp }: ActionContext): void {
  // A shot was opened, but its page is not rendered yet. The key press is meant for that page.
  if (location.hash.startsWith('#shot/')) return;
  const index = items.findIndex(({ first }) => linkTo(first)?.closest('li')?.contains(document.activeElement));
  const current = items[index];
  const focus = (item: ReviewItem | undefined) => item && linkTo(item.first)?.focus();
  if (action === 'help') onHelp();
  if (action === 'search') document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
  if (action === 'next') focus(items[Math.min(items.length - 1, index + 1)]);
  if (action === 'previous') focus(items[Math.max(0, index - 1)]);
  if (action === 'open' && items[0]) onOpen((current ?? items[0]).first);
  if (action === 'undo') approval.undo?.();
  if (action === 'approve' && current) approval.decide?.('approved', current.members);
  if (action === 'reject' && current) approval.decide?.('rejected', current.members);
}

function linkTo(shot: IndexedShot): HTMLAnchorElement | null {
  return document.querySelector(`a[href="${hashOf(shot)}"]`);
}

/** Shows the verdict of the run or the result of the review, its counts, and problems that concern the whole run. */
function RunHeader({ view, approval }: { view: ReportView; approval: ApprovalContext }) {
  const reviewed = view.shots.map((shot) => ({
    needsReview: shot.needsReview,
    decision: approval.decisions.get(keyOf(shot)) ?? null,
  }));
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
        {view.counts.map(([name, count]) => (
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
      {view.omittedImages && <p class="omitted-images">{view.omittedImages}</p>}
    </header>
  );
}

interface PassedShotsProps {
  readonly shots: readonly IndexedShot[];
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shows the shots that need no review. Renders the table only while it is open. */
function PassedShots({ shots, isOpen, onToggle }: PassedShotsProps) {
  return (
    <details class="passed-shots" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>{shots.length === 1 ? '1 shot needs no review' : `${shots.length} shots need no review`}</summary>
      {isOpen && <MetricsTable shots={shots} />}
    </details>
  );
}

/** Shows the slowest shots of the run, and what they waited for. */
function SlowestShots({ shots }: { shots: readonly IndexedShot[] }) {
  const slowest = shots.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, MAX_SLOWEST);
  return (
    <details class="slowest-shots">
      <summary>Slowest shots</summary>
      <ul>
        {slowest.map((shot) => (
          <li key={shot.index}>
            <a href={hashOf(shot)}>{shot.name}</a> <span class="muted">{shot.spent}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MAX_SLOWEST = 10;

function MetricsTable({ shots }: { shots: readonly IndexedShot[] }) {
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th>status</th>
            <th>shot</th>
            <th>project</th>
            <th class="number">mismatch, px</th>
            <th class="number">total, px</th>
            <th class="number">anti-aliased, px</th>
            <th>fails above</th>
            <th class="number">duration</th>
          </tr>
        </thead>
        <tbody>
          {shots.map((shot) => (
            <MetricsRow key={shot.index} shot={shot} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MetricsRow({ shot }: { shot: IndexedShot }) {
  const { differs, total, antialiased, limit, time } = shot.metrics;
  const warnings = shot.details.filter(({ name }) => name === 'warning').map(({ text }) => text);
  return (
    <tr>
      <td>
        <StatusBadges shot={shot} />
      </td>
      <td>
        <a href={hashOf(shot)}>{shot.name}</a>
        {[shot.reason, ...warnings].map((remark) => remark && <p class="muted">{remark}</p>)}
      </td>
      <td>{shot.projectName}</td>
      <td class="number">{differs}</td>
      <td class="number">{total}</td>
      <td class="number">{antialiased}</td>
      <td>{limit}</td>
      <td class="number">{time}</td>
    </tr>
  );
}
