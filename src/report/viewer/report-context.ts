import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { groupBy } from '../group-by.js';
import type { ReportView, ShotView } from '../view.js';
import type { Approval } from './approval.js';

export interface Report {
  readonly view: ReportView;
  /** Shots that pass the filter of the overview. */
  readonly visible: readonly ShotView[];
  readonly approval: Approval;
  /** Opens a shot, or the overview if null. */
  readonly open: (shot: ShotView | null) => void;
}

export const ReportContext = createContext<Report | null>(null);

export function useReport(): Report {
  const report = useContext(ReportContext);
  if (!report) throw new Error('a component is outside of the report');
  return report;
}

/** Returns the `src` of an image: a data URL if the page embeds the image, otherwise its URL. */
export function sourceOf(href: string): string {
  const block = document.getElementById(href);
  return block ? `data:${block.getAttribute('type')};base64,${block.textContent}` : href;
}

export function hashOf({ index }: ShotView): string {
  return `#shot/${index}`;
}

/** What is decided at once: a single shot, or a group of shots with the same change. */
export interface ReviewItem {
  readonly first: ShotView;
  /** The other shots of the group that pass the filter. */
  readonly others: readonly ShotView[];
  /** All shots of the group, including those that do not pass the filter. */
  readonly members: readonly ShotView[];
}

/** Lists the shots and groups to review that pass the filter. A group has the position of its first shot. */
export function itemsOf(visible: readonly ShotView[], shots: readonly ShotView[]): ReviewItem[] {
  const toReview = visible.filter(({ needsReview }) => needsReview);
  return [...groupBy(toReview, (shot) => shot.group ?? shot).values()].map(([first, ...others]) => {
    return { first, others, members: membersOf(first, shots) };
  });
}

export function isUndecided({ members }: ReviewItem, { decidedOf }: Approval): boolean {
  return members.some((shot) => shot.isDecidable && !decidedOf(shot));
}

export function membersOf(shot: ShotView, shots: readonly ShotView[]): readonly ShotView[] {
  return shot.group === undefined ? [shot] : shots.filter(({ group }) => group === shot.group);
}
