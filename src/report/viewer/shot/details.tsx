import type { ShotView } from '../../html/view.js';
import { type ApprovalContext, approveCommandFor, approveGroupCommandFor } from '../review/approval.js';
import { DecisionButtons } from '../review/decision-buttons.js';

interface DetailsProps {
  readonly shot: ShotView;
  /** All shots of the group, including this one. */
  readonly members: readonly ShotView[];
  /** Index of the selected region; null if none is selected. */
  readonly region: number | null;
  readonly approval: ApprovalContext;
  readonly onRegion: (region: number) => void;
  /** Called with the index of the cause that is pointed at or focused; null when it is left. */
  readonly onCause: (cause: number | null) => void;
}

/** Shows the decision buttons, the causes, the regions and the details of a shot. */
export function Details({ shot, members, region, approval, onRegion, onCause }: DetailsProps) {
  return (
    <aside aria-label="Details">
      <DecisionButtons shots={[shot]} target="" approval={approval} command={approveCommandFor([shot])} />
      {shot.group !== null && members.length > 1 && (
        <div class="group">
          <p class="group-title">The same change on {members.length} shots</p>
          <DecisionButtons
            shots={members}
            target={`all ${members.length}`}
            approval={approval}
            command={approveGroupCommandFor(shot.group)}
          />
        </div>
      )}
      {shot.causes.length > 0 && <CauseList causes={shot.causes} onPoint={onCause} />}
      {shot.regions.length > 0 && <RegionList regions={shot.regions} selected={region} onSelect={onRegion} />}
      <dl class="details">
        {shot.details.map(({ name, text, href }) => (
          <div key={name + text}>
            <dt>{name}</dt>
            <dd>
              {href === null ? (
                text
              ) : (
                <a href={href} rel="noreferrer">
                  {text}
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

interface CauseListProps extends Pick<ShotView, 'causes'> {
  readonly onPoint: (cause: number | null) => void;
}

/** Lists the causes. The elements of the one that is pointed at or focused are framed in the images. */
function CauseList({ causes, onPoint }: CauseListProps) {
  return (
    <>
      <h2>Causes</h2>
      <ol class="regions causes">
        {causes.map(({ text }, index) => (
          <li key={`${index} ${text}`}>
            <button
              type="button"
              onMouseEnter={() => onPoint(index)}
              onMouseLeave={() => onPoint(null)}
              onFocus={() => onPoint(index)}
              onBlur={() => onPoint(null)}
            >
              {text}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

interface RegionListProps extends Pick<ShotView, 'regions'> {
  readonly selected: number | null;
  readonly onSelect: (region: number) => void;
}

function RegionList({ regions, selected, onSelect }: RegionListProps) {
  return (
    <>
      <h2>Regions</h2>
      <ol class="regions">
        {regions.map(({ text }, index) => (
          <li key={text}>
            <button type="button" aria-current={selected === index} onClick={() => onSelect(index)}>
              <b>{index + 1}</b> {text}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
