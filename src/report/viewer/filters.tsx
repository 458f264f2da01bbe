import type { ComponentChildren } from 'preact';
import type { ShotView } from '../view.js';

/** The filter of the overview. An empty string does not filter; `hidden` leaves out the shots with a decision. */
export const NO_FILTER = { status: '', project: '', viewport: '', mode: '', text: '', decided: '' };

export type Filter = Readonly<typeof NO_FILTER>;

/** Checks whether a shot passes a filter. Each word of the text must occur in the shot's name, project, reason or details. */
export function isVisible(shot: ShotView, filter: Filter, isDecided: boolean): boolean {
  if (filter.decided === 'hidden' && isDecided) return false;
  if (SELECTS.some(({ name, valuesOf }) => filter[name] !== '' && !valuesOf(shot).includes(filter[name]))) return false;
  const details = shot.details.map((detail) => detail.text);
  const searched = [shot.name, shot.projectName, shot.reason, ...details].join(' ').toLowerCase();
  const words = filter.text.toLowerCase().split(/\s+/);
  return words.every((word) => searched.includes(word));
}

interface Select {
  readonly name: 'status' | 'project' | 'viewport' | 'mode';
  readonly label: string;
  readonly all: string;
  readonly valuesOf: (shot: ShotView) => readonly string[];
}

const SELECTS: readonly Select[] = [
  { name: 'status', label: 'Status', all: 'All statuses', valuesOf: ({ status, flags }) => [status, ...flags] },
  { name: 'project', label: 'Project', all: 'All projects', valuesOf: ({ projectName }) => [projectName] },
  { name: 'viewport', label: 'Viewport', all: 'All viewports', valuesOf: ({ viewport }) => [viewport] },
  { name: 'mode', label: 'Mode', all: 'All modes', valuesOf: ({ mode }) => [mode] },
];

interface FiltersProps {
  readonly shots: readonly ShotView[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly children: ComponentChildren;
}

export function Filters({ shots, filter, onFilter, children }: FiltersProps) {
  const isActive = Object.values(filter).some((value) => value !== '');
  return (
    <search class="filters">
      <input
        type="search"
        placeholder="Search name, URL or reason"
        aria-label="Search"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {SELECTS.map(({ name, label, all, valuesOf }) => {
        const options = [...new Set(shots.flatMap(valuesOf))];
        // If all shots have the same value, there is nothing to select.
        if (options.length < 2) return null;
        return (
          <select
            key={name}
            aria-label={label}
            value={filter[name]}
            onChange={(event) => onFilter({ ...filter, [name]: event.currentTarget.value })}
          >
            <option value="">{all}</option>
            {options.map(
              (option) =>
                option !== '' && (
                  <option key={option} value={option}>
                    {option}
                  </option>
                ),
            )}
          </select>
        );
      })}
      {shots.some(({ isDecidable }) => isDecidable) && (
        <button
          type="button"
          aria-pressed={filter.decided === 'hidden'}
          onClick={() => onFilter({ ...filter, decided: filter.decided === 'hidden' ? '' : 'hidden' })}
        >
          Hide decided
        </button>
      )}
      {isActive && (
        <button type="button" onClick={() => onFilter(NO_FILTER)}>
          Clear filters
        </button>
      )}
      {children}
    </search>
  );
}
