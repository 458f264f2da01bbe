import type { ShotView } from '../../html/view.js';

/** Shows the status of a shot, and what else is to be known of it. */
export function Badges({ shot }: { shot: ShotView }) {
  return (
    <>
      <span class={`badge ${shot.status}`}>{shot.status}</span>
      {shot.flags.map((flag) => (
        <span key={flag} class="badge flag">
          {flag}
        </span>
      ))}
    </>
  );
}
