import { adviseName } from '../list/index.js';
import {
  invalidCommand,
  listSome,
  nameShot,
  type ProofsheetError,
  type RunRecord,
  renderPlain,
  type ShotRecord,
} from '../model/index.js';

/** Selects shots of a run. The criteria are combined with OR; `project` filters the result. */
export interface Choice {
  /** Shot ids, or page names. A page name selects all shots of the page unless a shot has this id. */
  readonly ids: readonly string[];
  /** Selects all shots that are `changed` or `new`. Also `error` and `unstable`, so that they can be reported. */
  readonly all: boolean;
  readonly new: boolean;
  readonly groups: readonly string[];
  readonly project: string | null;
}

export interface ChosenShot {
  readonly shot: ShotRecord;
  readonly isNamed: boolean;
}

/**
 * Selects shots of a run, in the order of the run.
 *
 * @throws ProofsheetError `command-invalid` if there are no criteria.
 * @throws AggregateError of all unknown names, each with a suggestion.
 */
export function chooseShots({ shots }: Pick<RunRecord, 'shots'>, choice: Choice): ChosenShot[] {
  const { ids, all, groups } = choice;
  if (ids.length === 0 && !all && !choice.new && groups.length === 0) throw nothingChosen(shots);
  const errors = listErrors(shots, choice);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
  const isSelected = (shot: ShotRecord) => ids.some((id) => isNamedBy(shots, shot, id));
  return shots
    .filter(({ project }) => choice.project === null || project === choice.project)
    .map((shot) => ({ shot, isNamed: isSelected(shot) }))
    .filter(({ shot, isNamed }) => isNamed || isAmong(shot, choice));
}

function isAmong({ status, group }: ShotRecord, choice: Choice): boolean {
  if (group !== null && choice.groups.includes(group)) return true;
  if (choice.new && status === 'new') return true;
  return choice.all && status !== 'passed' && status !== 'skipped';
}

function isNamedBy(shots: readonly ShotRecord[], shot: ShotRecord, id: string): boolean {
  return shot.id === id || (shot.page === id && !shots.some((other) => other.id === id));
}

function listErrors(shots: readonly ShotRecord[], { ids, groups, project }: Choice): ProofsheetError[] {
  const projects = distinct(shots.map((shot) => shot.project));
  const known = distinct(shots.flatMap((shot) => shot.group ?? []));
  const listed = known.length === 0 ? 'The run has no groups.' : `Groups of the run: ${listSome(known, 20)}.`;
  const isMissing = project !== null && !projects.includes(project);
  const unknownGroups = groups.filter((group) => !known.includes(group));
  return [
    ...(isMissing ? [unknown(project, 'the run has no project with this name', adviseName(project, projects))] : []),
    ...unknownGroups.map((group) => unknown(group, 'the run has no group with this name', listed)),
    ...ids.flatMap((id) => {
      const found = shots.filter((shot) => isNamedBy(shots, shot, id));
      if (found.length === 0) return [unknown(id, 'the run has no shot or page with this name', adviseId(id, shots))];
      if (project === null || found.some((shot) => shot.project === project)) return [];
      const where = listSome(distinct(found.map((shot) => shot.project)), 5);
      return [unknown(id, `the shot is not in the project ${project}`, `Projects with this shot: ${where}.`)];
    }),
  ];
}

function adviseId(id: string, shots: readonly ShotRecord[]): string {
  const names = distinct(shots.flatMap((shot) => [shot.id, shot.page]));
  return adviseName(id, names, `Shots of the run: ${listSome(names, 10)}.`);
}

/** The names in a run are untrusted: they are escaped. */
function unknown(name: string, found: string, advice: string): ProofsheetError {
  return invalidCommand(name === '' ? '""' : name, renderPlain(found), renderPlain(advice));
}

function nothingChosen(shots: readonly ShotRecord[]): ProofsheetError {
  const names = shots.filter(({ status }) => status === 'changed' || status === 'new').map(nameShot);
  if (names.length === 0)
    return unknown('the selection', 'the run has no changed or new shots', 'There is nothing to decide.');
  const found = `no shot is selected; ${names.length} can be decided: ${listSome(names, 10)}`;
  return unknown('the selection', found, 'Pass shot IDs, or use --all, --new or --group.');
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
