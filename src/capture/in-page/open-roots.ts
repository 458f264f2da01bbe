/** A document or an open shadow root. */
export type Root = Document | ShadowRoot;

/**
 * Runs in the page. Lists a root and all open shadow roots within it, outer ones first. This is the only walk over all
 * elements of a document; frames have their own documents.
 */
export function openRoots(start: Root = document): Root[] {
  const roots = [start];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  return roots;
}
