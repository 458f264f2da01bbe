import { EVERYTHING, type Filter, valuesOf } from './filter.js';
import type { Frame } from './sheet.js';

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
