import type { ShotView } from '../view.js';
import { approveCommandFor, approveGroupCommandFor } from './approval.js';
import { DecisionButtons } from './decisions.js';

interface DetailsProps {
  readonly shot: ShotView;
  /** All shots of the group, including this one. */
  readonly members: readonly ShotView[];
  /** Index of the selected region; null if none is selected. */
  readonly region: number | null;
  readonly onRegion: (region: number) => void;
  /** Called with the index of the cause that is pointed at or focused; null when it is left. */
  readonly onCause: (cause: number | null) => void;
}

/** Shows the decision buttons, the causes, the regions and the details of a shot. */
export function Details({ shot, members, region, onRegion, onCause }: DetailsProps) {
  return (
    <aside aria-label="Details">
      <DecisionButtons shots={[shot]} command={approveCommandFor([shot])} />
      {shot.group !== undefined && members.length > 1 && (
        <div class="group">
          <p class="group-title">The same change on {members.length} shots</p>
          <DecisionButtons
            shots={members}
            target={`all ${members.length}`}
            command={approveGroupCommandFor(shot.group)}
          />
        </div>
      )}
      {shot.causes.length > 0 && <h2>Causes</h2>}
      <ol class="regions causes">
        {shot.causes.map(({ text }, index) => (
          <li key={`${index} ${text}`}>
            <button
              type="button"
              onMouseEnter={() => onCause(index)}
              onMouseLeave={() => onCause(null)}
              onFocus={() => onCause(index)}
              onBlur={() => onCause(null)}
            >
              {text}
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
