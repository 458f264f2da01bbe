import type { Decision } from '../../model/review.js';
import type { ShotView, View } from '../html/view.js';

/** A shot and its place in the report, by which it is called in the address. */
export interface Frame {
  readonly index: number;
  readonly shot: ShotView;
}

/** One thing to be decided: a shot that changed alone, or several that changed in the same way. */
export interface Item {
  readonly group: string | null;
  readonly first: Frame;
  /** All that are shown, the first included. */
  readonly frames: readonly Frame[];
  /** How many there are, shown or not. */
  readonly size: number;
}

/** Returns shots as things to be decided, in their order; a group stands where its first shot does. */
export function itemsOf(frames: readonly Frame[], all: readonly Frame[]): Item[] {
  const seen = new Set<string>();
  return frames.flatMap((first): Item[] => {
    const { group } = first.shot;
    if (group === null) return [{ group, first, frames: [first], size: 1 }];
    if (seen.has(group)) return [];
    seen.add(group);
    return [{ group, first, frames: membersOf(frames, group), size: membersOf(all, group).length }];
  });
}

/** Returns the shots of a group. */
export function membersOf(frames: readonly Frame[], group: string): Frame[] {
  return frames.filter(({ shot }) => shot.group === group);
}

/** Who takes the decisions of this page. */
export interface Session {
  readonly token: string;
}

/** Reads what the page knows of the run. */
export function readView(): View {
  return JSON.parse(document.getElementById('proofsheet-view')?.textContent ?? '');
}

/** Reads who takes decisions; null: the page was opened as a file. */
export function readSession(): Session | null {
  return JSON.parse(document.getElementById('proofsheet-session')?.textContent ?? 'null');
}

/** Returns what an image is to be loaded from: the block of the page that holds it, or its address. */
export function sourceOf(href: string): string {
  const block = document.getElementById(href);
  return block ? `data:${block.getAttribute('type')};base64,${block.textContent}` : href;
}

/** Returns the address of a shot within the page. */
export function addressOf({ index }: Frame): string {
  return `#shot/${index}`;
}

/** Decisions of the reviewer, and the functions that take them. */
export interface ApprovalContext {
  /** Null where the page was opened as a file: nothing can record a decision. */
  readonly decide: ((decision: Decision, shots: readonly ShotView[]) => void) | null;
  /** Takes the last decision back. Null where there is none to take back. */
  readonly undo: (() => void) | null;
  /** By {@link keyOf}. */
  readonly decisions: ReadonlyMap<string, Decision>;
}
