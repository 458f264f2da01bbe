import type { ShotView } from '../../html/view.js';
import type { Frame } from '../page-data.js';

interface Properties {
  readonly all: readonly Frame[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onHelp: () => void;
}

/** Narrows the overview down: by text, status, project and viewport. */
export function Filters({ all, filter, onFilter, onHelp }: Properties) {
  const shots = all.map(({ shot }) => shot);
  const choices = {
    status: valuesOf(shots, ({ status, flags }) => [status, ...flags]),
    project: valuesOf(shots, ({ projectName }) => [projectName]),
    viewport: valuesOf(shots, ({ viewport }) => [viewport]),
  };
  const isAll = Object.values(filter).every((value) => value === '');
  return (
    <search class="filters">
      <input
        type="search"
        placeholder="Search: name, address, reason"
        aria-label="Search"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {(['status', 'project', 'viewport'] as const).map((name) => (
        <Choice
          key={name}
          name={name}
          values={choices[name]}
          value={filter[name]}
          onChoose={(value) => onFilter({ ...filter, [name]: value })}
        />
      ))}
      {!isAll && (
        <button type="button" onClick={() => onFilter(EVERYTHING)}>
          Show all
        </button>
      )}
      <button type="button" class="keys" aria-label="Keys" onClick={onHelp}>
        ?
      </button>
    </search>
  );
}

interface ChoiceProperties {
  readonly name: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ name, values, value, onChoose }: ChoiceProperties) {
  if (values.length < 2) return null;
  return (
    <select aria-label={name} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">every {name}</option>
      {values
        .filter((one) => one !== '')
        .map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
    </select>
  );
}

/** What of the shots is shown; empty: all. */
export interface Filter {
  readonly status: string;
  readonly project: string;
  readonly viewport: string;
  readonly text: string;
}

/** Shows all. */
export const EVERYTHING: Filter = { status: '', project: '', viewport: '', text: '' };

/** Checks whether a shot is shown. All words of the text must be in what is told of it. */
export function isShown(shot: ShotView, { status, project, viewport, text }: Filter): boolean {
  if (status !== '' && shot.status !== status && !shot.flags.includes(status)) return false;
  if (project !== '' && shot.projectName !== project) return false;
  if (viewport !== '' && shot.viewport !== viewport) return false;
  const told = [shot.name, shot.projectName, shot.reason, ...shot.facts.map((fact) => fact.text)]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

/** Returns the values that shots have, each once, in the order in which they come; the empty one is a value too. */
export function valuesOf(shots: readonly ShotView[], valuesIn: (shot: ShotView) => readonly string[]): string[] {
  return [...new Set(shots.flatMap(valuesIn))];
}
