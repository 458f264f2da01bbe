import type { ShotView } from '../../html/view.js';

interface FiltersProps {
  readonly shots: readonly ShotView[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onHelp: () => void;
}

/** Shows the search field, the filters by status, project and viewport, and the button for the keyboard shortcuts. */
export function Filters({ shots, filter, onFilter, onHelp }: FiltersProps) {
  const options = {
    status: distinct(shots.flatMap(({ status, flags }) => [status, ...flags])),
    project: distinct(shots.map(({ projectName }) => projectName)),
    viewport: distinct(shots.map(({ viewport }) => viewport)),
  };
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
      {(['status', 'project', 'viewport'] as const).map((name) => (
        <FilterSelect
          key={name}
          {...SELECT_LABELS[name]}
          options={options[name]}
          value={filter[name]}
          onChange={(value) => onFilter({ ...filter, [name]: value })}
        />
      ))}
      {isActive && (
        <button type="button" onClick={() => onFilter(NO_FILTER)}>
          Clear filters
        </button>
      )}
      <button type="button" class="help-button" aria-label="Keyboard shortcuts" onClick={onHelp}>
        ?
      </button>
    </search>
  );
}

const SELECT_LABELS = {
  status: { label: 'Status', allLabel: 'All statuses' },
  project: { label: 'Project', allLabel: 'All projects' },
  viewport: { label: 'Viewport', allLabel: 'All viewports' },
};

interface FilterSelectProps {
  readonly label: string;
  /** Label of the option that does not filter. */
  readonly allLabel: string;
  /** Distinct values of the shots. Empty strings count as a value, but are not shown. */
  readonly options: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Shows a select; nothing if all shots have the same value. */
function FilterSelect({ label, allLabel, options, value, onChange }: FilterSelectProps) {
  if (options.length < 2) return null;
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{allLabel}</option>
      {options
        .filter((option) => option !== '')
        .map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
    </select>
  );
}

/** The filter of the overview. An empty string does not filter. */
export interface Filter {
  /** A status or a flag. */
  readonly status: string;
  readonly project: string;
  readonly viewport: string;
  readonly text: string;
}

/** A filter that all shots pass. */
export const NO_FILTER: Filter = { status: '', project: '', viewport: '', text: '' };

/** Checks whether a shot passes a filter. Each word of the text must occur in the shot's name, project, reason or details. */
export function isVisible(shot: ShotView, { status, project, viewport, text }: Filter): boolean {
  if (status !== '' && shot.status !== status && !shot.flags.includes(status)) return false;
  if (project !== '' && shot.projectName !== project) return false;
  if (viewport !== '' && shot.viewport !== viewport) return false;
  const searched = [shot.name, shot.projectName, shot.reason, ...shot.details.map((detail) => detail.text)]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
