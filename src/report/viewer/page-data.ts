import type { ReportView, Session, ShotView } from '../html/view.js';

/** A shot with its position in the report, which is the id in its URL. */
export interface IndexedShot extends ShotView {
  readonly index: number;
}

/** Reads the data of the report from the page. */
export function readView(): ReportView {
  return JSON.parse(document.getElementById('proofsheet-view')?.textContent ?? '');
}

/** Reads the approval session from the page. Returns null if the page was opened as a file. */
export function readSession(): Session | null {
  return JSON.parse(document.getElementById('proofsheet-session')?.textContent ?? 'null');
}

/** Returns the `src` of an image: a data URL if the page embeds the image, otherwise its URL. */
export function sourceOf(href: string): string {
  const block = document.getElementById(href);
  return block ? `data:${block.getAttribute('type')};base64,${block.textContent}` : href;
}

/** Returns the URL hash of a shot. */
export function hashOf({ index }: IndexedShot): string {
  return `#shot/${index}`;
}

/** Returns the shots with the same change. */
export function shotsOfGroup(shots: readonly IndexedShot[], group: string): IndexedShot[] {
  return shots.filter((shot) => shot.group === group);
}
