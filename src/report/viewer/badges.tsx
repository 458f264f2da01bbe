import type { ShotView } from '../html/view.js';
import { type ApprovalContext, keyOf } from './review/approval.js';

/** Shows the status and the flags of a shot. */
export function StatusBadges({ shot }: { shot: ShotView }) {
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

/** Shows the decision on a shot; nothing if there is none. */
export function DecisionBadge({ shot, approval }: { shot: ShotView; approval: ApprovalContext }) {
  const decision = approval.decisions.get(keyOf(shot));
  return decision ? <span class={`badge ${decision}`}>{decision}</span> : null;
}
