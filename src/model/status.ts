/** What became of one shot. See the contract of each in the README, "Statuses". */
export const STATUSES = ['error', 'unstable', 'changed', 'new', 'passed', 'skipped'] as const;

/** One of {@link STATUSES}; their order there is from worst to best. */
export type Status = (typeof STATUSES)[number];

/** Orders statuses from worst to best, for lists that show the worst first. */
export function compareStatus(a: Status, b: Status): number {
  return STATUSES.indexOf(a) - STATUSES.indexOf(b);
}
