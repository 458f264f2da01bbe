import type { ShotView } from '../view.js';
import type { Desk } from './app.js';
import { commandFor, commandForGroup } from './command.js';
import { Decide } from './decision.js';
import type { Frame } from './sheet.js';

interface Properties {
  readonly shot: ShotView;
  /** All shots that changed in the same way, this one included. */
  readonly group: readonly Frame[];
  readonly region: number | null;
  readonly desk: Desk;
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
