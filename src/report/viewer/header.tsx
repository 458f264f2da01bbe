import type { View } from '../view.js';

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
