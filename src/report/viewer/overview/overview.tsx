import { useLayoutEffect, useState } from 'preact/hooks';
import { renderCountOf } from '../../../model/words.js';
import type { View } from '../../html/view.js';
import { type Action, Help, SHEET_KEYS, useKeys } from '../keys.js';
import { type ApprovalContext, addressOf, type Frame, type Item, itemsOf, membersOf } from '../page-data.js';
import { COMMAND_FOR_ALL, commandFor } from '../review/decide.js';
import { Decide } from '../review/decision.js';
import { Badges } from './badges.js';
import { type Filter, Filters } from './filters.js';
import { ShotCard } from './shot-card.js';

interface Properties {
  readonly view: View;
  readonly all: readonly Frame[];
  readonly shown: readonly Frame[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly fine: { readonly isOpen: boolean; readonly onToggle: (isOpen: boolean) => void };
  /** The shot that was looked at last: where the reader goes on. */
  readonly last: Frame | null;
  readonly desk: ApprovalContext;
  readonly onOpen: (frame: Frame) => void;
}

/** All shots of a run as a contact sheet: what did not pass as thumbnails, the worst first, all else in a table. */
export function Overview({ view, all, shown, filter, onFilter, fine, last, desk, onOpen }: Properties) {
  const [isHelped, setHelped] = useState(false);
  const inReview = shown.filter(({ shot }) => shot.needsReview);
  const quiet = shown.filter(({ shot }) => !shot.needsReview);
  const items = itemsOf(inReview, all);
  const shots = inReview.map(({ shot }) => shot).filter(({ isDecidable }) => isDecidable);
  useKeys(SHEET_KEYS, (action) => act(action, { items, all, desk, onOpen, onHelp: () => setHelped(true) }));
  useLayoutEffect(() => {
    const link = last && linkTo(last);
    link?.scrollIntoView({ block: 'center' });
    link?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Header view={view} />
      <main>
        <Filters all={all} filter={filter} onFilter={onFilter} onHelp={() => setHelped(true)} />
        <p class="shown" role="status">
          {shown.length === all.length
            ? renderCountOf(all.length, 'shot')
            : `${shown.length} of ${renderCountOf(all.length, 'shot')} shown`}
        </p>
        {shots.length > 1 && (
          <Decide
            shots={shots}
            what={`all ${shots.length} shown`}
            asks
            desk={desk}
            command={shown.length === all.length ? COMMAND_FOR_ALL : commandFor(shots)}
          />
        )}
        <ul class="sheet" aria-label="Shots that did not pass">
          {items.map((item) => (
            <ShotCard key={item.first.index} item={item} members={membersIn(all, item)} desk={desk} />
          ))}
        </ul>
        {quiet.length > 0 && <Passed frames={quiet} {...fine} />}
        <footer>
          proofsheet {view.version}. The record of this run: <a href="results.json">results.json</a>
        </footer>
      </main>
      {isHelped && <Help bindings={SHEET_KEYS} onClose={() => setHelped(false)} />}
    </>
  );
}

function membersIn(all: readonly Frame[], { group, frames }: Item): readonly Frame[] {
  return group === null ? frames : membersOf(all, group);
}

interface Reach {
  readonly items: readonly Item[];
  readonly all: readonly Frame[];
  readonly desk: ApprovalContext;
  readonly onOpen: (frame: Frame) => void;
  readonly onHelp: () => void;
}

function act(action: Action, { items, all, desk, onOpen, onHelp }: Reach): void {
  // A link was followed, and the shot is not there yet: a key is not meant for this page any more.
  if (location.hash.startsWith('#shot/')) return;
  const at = items.findIndex(({ first }) => linkTo(first)?.closest('li')?.contains(document.activeElement));
  const current = items[at];
  const focus = (item: Item | undefined) => item && linkTo(item.first)?.focus();
  const decide = (decision: 'approved' | 'rejected') =>
    current &&
    desk.decide?.(
      decision,
      membersIn(all, current).map(({ shot }) => shot),
    );
  if (action === 'help') onHelp();
  if (action === 'search') document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
  if (action === 'next') focus(items[Math.min(items.length - 1, at + 1)]);
  if (action === 'previous') focus(items[Math.max(0, at - 1)]);
  if (action === 'open' && items[0]) onOpen((current ?? items[0]).first);
  if (action === 'undo') desk.undo?.();
  if (action === 'approve') decide('approved');
  if (action === 'reject') decide('rejected');
}

function linkTo(frame: Frame): HTMLAnchorElement | null {
  return document.querySelector(`a[href="${addressOf(frame)}"]`);
}

/** Shows how a run ended: its verdict, its counts, and what is wrong with it as a whole. */
export function Header({ view }: { view: View }) {
  return (
    <header>
      <h1 class={view.isGreen ? 'passed' : 'error'}>{view.verdict}</h1>
      <p class="soft">{view.scope}</p>
      {view.filters && (
        <p>
          Only what these filters select: <code>{view.filters}</code>
        </p>
      )}
      <ul class="counts" aria-label="Counts">
        {view.counts.map(([name, count, isZero]) => (
          <li key={name} class={isZero ? 'zero' : ''}>
            <b>{count}</b> {name}
          </li>
        ))}
      </ul>
      {view.problems.map(({ what, advice }) => (
        <div key={what} class="problem">
          <p>
            <b>{what}</b>
          </p>
          <p class="soft">{advice}</p>
        </div>
      ))}
      {view.notices.map((notice) => (
        <p key={notice}>{notice}.</p>
      ))}
      {view.leftOut && <p class="left-out">{view.leftOut}</p>}
    </header>
  );
}

interface PassedProperties {
  readonly frames: readonly Frame[];
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shots that need nobody's eyes, with their exact figures. */
export function Passed({ frames, isOpen, onToggle }: PassedProperties) {
  return (
    <details class="fine" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>{frames.length === 1 ? '1 shot in order' : `${frames.length} shots in order`}</summary>
      {isOpen && <Table frames={frames} />}
    </details>
  );
}

function Table({ frames }: { frames: readonly Frame[] }) {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>status</th>
            <th>shot</th>
            <th>project</th>
            <th class="number">differs, px</th>
            <th class="number">of</th>
            <th class="number">anti-aliased, px</th>
            <th>fails above</th>
            <th class="number">time</th>
          </tr>
        </thead>
        <tbody>
          {frames.map((frame) => (
            <Row key={frame.index} frame={frame} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ frame }: { frame: Frame }) {
  const { shot } = frame;
  const { differs, total, antialiased, limit, time } = shot.figures;
  const remarks = [shot.reason, ...shot.facts.filter(({ name }) => name === 'warning').map(({ text }) => text)];
  return (
    <tr>
      <td>
        <Badges shot={shot} />
      </td>
      <td>
        <a href={addressOf(frame)}>{shot.name}</a>
        {remarks.map((remark) => remark && <p class="soft">{remark}</p>)}
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
