import type { View } from '../view.js';

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

/** Gives what an image is to be loaded from: the block of the page that holds it, or its address. */
export function sourceOf(href: string): string {
  const block = document.getElementById(href);
  return block ? `data:${block.getAttribute('type')};base64,${block.textContent}` : href;
}
