import type { ShotView } from '../view.js';

/** The filter of the overview. An empty string does not filter; `hidden` leaves out the shots with a decision. */
export const NO_FILTER = { status: '', project: '', viewport: '', mode: '', text: '', decided: '' };

export type Filter = Readonly<typeof NO_FILTER>;

/** Checks whether a shot passes a filter. Each word of the text must occur in the shot's name, project, reason or details. */
export function isVisible(
  shot: ShotView,
  { status, project, viewport, mode, text, decided }: Filter,
  isDecided: boolean,
): boolean {
  if (decided === 'hidden' && isDecided) return false;
  if (status !== '' && shot.status !== status && !shot.flags.includes(status)) return false;
  if (project !== '' && shot.projectName !== project) return false;
  if (viewport !== '' && shot.viewport !== viewport) return false;
  if (mode !== '' && shot.mode !== mode) return false;
  const details = shot.details.map((detail) => detail.text);
  const searched = [shot.name, shot.projectName, shot.reason, ...details].join(' ').toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => searched.includes(word));
}

interface FiltersProps {
  readonly shots: readonly ShotView[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onHelp: () => void;
}

export function Filters({ shots, filter, onFilter, onHelp }: FiltersProps) {
  const selects = [
    ['status', 'Status', 'All statuses', shots.flatMap((shot) => [shot.status, ...shot.flags])],
    ['project', 'Project', 'All projects', shots.map((shot) => shot.projectName)],
    ['viewport', 'Viewport', 'All viewports', shots.map((shot) => shot.viewport)],
    ['mode', 'Mode', 'All modes', shots.map((shot) => shot.mode)],
  ] as const;
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
      {selects.map(([name, label, all, values]) => {
        const options = [...new Set<string>(values)];
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
      <button type="button" class="help-button" aria-label="Keyboard shortcuts" onClick={onHelp}>
        ?
      </button>
    </search>
  );
}
