import { addressOf } from './app.js';
import { Badges } from './badges.js';
import type { Frame } from './sheet.js';

interface Properties {
  readonly frames: readonly Frame[];
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shots that need nobody's eyes, with their exact figures. */
export function Passed({ frames, isOpen, onToggle }: Properties) {
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
