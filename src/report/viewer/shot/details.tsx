import { useState } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import type { ApprovalContext, Frame } from '../page-data.js';
import { commandFor, commandForGroup } from '../review/decide.js';
import { Decide } from '../review/decision.js';

interface Properties {
  readonly shot: ShotView;
  /** All shots that changed in the same way, this one included. */
  readonly group: readonly Frame[];
  readonly region: number | null;
  readonly desk: ApprovalContext;
  readonly onRegion: (region: number) => void;
}

/** All that is known of a shot in words, and what can be decided on it. */
export function Details({ shot, group, region, desk, onRegion }: Properties) {
  return (
    <aside aria-label="Details">
      <Decide shots={[shot]} what="" desk={desk} command={commandFor([shot])} />
      {shot.group !== null && group.length > 1 && (
        <div class="group">
          <p class="same">The same change on {group.length} shots</p>
          <Decide
            shots={group.map((member) => member.shot)}
            what={`all ${group.length}`}
            desk={desk}
            command={commandForGroup(shot.group)}
          />
        </div>
      )}
      {shot.marks.length > 0 && <Regions shot={shot} region={region} onRegion={onRegion} />}
      <dl class="facts">
        {shot.facts.map(({ name, text, href }) => (
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

function Regions({ shot, region, onRegion }: Pick<Properties, 'shot' | 'region' | 'onRegion'>) {
  return (
    <>
      <h2>Where</h2>
      <ol class="regions">
        {shot.marks.map(({ text }, index) => (
          <li key={text}>
            <button type="button" aria-current={region === index} onClick={() => onRegion(index)}>
              <b>{index + 1}</b> {text}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Which attempt at a shot is looked at. */
export interface ChosenAttempt {
  readonly chosen: number;
  /** The one after it; after the last comes the first. */
  readonly next: number;
  readonly choose: (attempt: number) => void;
  /** The shot as that attempt saw it. */
  readonly shown: ShotView;
  readonly viewOf: (attempt: number) => ShotView;
  /** Why that attempt ended as it did; empty where there is nothing to say. */
  readonly reason: string;
}

/** Lets the attempts of a flaky shot be looked at one by one, beginning with the one that stands. */
export function useAttempts(shot: ShotView): ChosenAttempt {
  const { attempts } = shot;
  const [chosen, choose] = useState(() => attempts.findLastIndex(({ images }) => images === null));
  const viewOf = (index: number): ShotView => {
    const images = attempts[index]?.images ?? null;
    // Where the regions of another attempt lay is not known.
    return images === null ? shot : { ...shot, ...images, marks: [] };
  };
  const attempt = attempts[chosen];
  const reason = attempt && attempt.images !== null ? attempt.reason : shot.reason;
  const next = (chosen + 1) % Math.max(1, attempts.length);
  return { chosen, next, choose, shown: viewOf(chosen), viewOf, reason };
}

interface AttemptsProperties {
  readonly shot: ShotView;
  readonly chosen: number;
  readonly onChoose: (attempt: number) => void;
}

/** Shows the attempts of a flaky shot, each to be looked at. */
export function Attempts({ shot, chosen, onChoose }: AttemptsProperties) {
  if (shot.attempts.length === 0) return null;
  return (
    <fieldset class="attempts" aria-label="Attempts">
      {shot.attempts.map(({ status }, index) => (
        <button key={`${index + 1}`} type="button" aria-pressed={index === chosen} onClick={() => onChoose(index)}>
          Attempt {index + 1}: {status}
        </button>
      ))}
    </fieldset>
  );
}
