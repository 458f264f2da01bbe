import type { CDPSession } from '@playwright/test';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The computed styles of a structure: those that paint or place an element. */
export const STYLE_PROPERTIES: readonly string[] = [
  ...words('display visibility position z-index float opacity box-sizing overflow-x overflow-y'),
  ...SIDES,
  ...SIDES.map((side) => `margin-${side}`),
  ...SIDES.map((side) => `padding-${side}`),
  ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-style`, `border-${side}-color`]),
  ...['top-left', 'top-right', 'bottom-right', 'bottom-left'].map((corner) => `border-${corner}-radius`),
  ...words(`
    color background-color background-image background-position-x background-position-y background-size
    background-repeat background-clip box-shadow filter backdrop-filter mix-blend-mode clip-path mask-image
    transform rotate scale translate outline-width outline-style outline-color outline-offset
    font-family font-size font-weight font-style font-stretch line-height letter-spacing word-spacing
    text-align text-indent text-transform text-shadow white-space-collapse text-wrap
    text-decoration-line text-decoration-style text-decoration-color text-decoration-thickness
    -webkit-text-fill-color -webkit-text-stroke-width vertical-align direction writing-mode
    list-style-type list-style-image content object-fit object-position aspect-ratio
    flex-direction flex-wrap flex-grow flex-shrink flex-basis order row-gap column-gap
    justify-content align-items align-self align-content column-count border-collapse
    fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray
  `),
];

/** Properties that paint nothing while another one has this value. */
const PAINTLESS: readonly (readonly [property: string, value: string, dependent: string])[] = [
  ...SIDES.map((side) => [`border-${side}-width`, '0px', `border-${side}-style border-${side}-color`] as const),
  ['outline-style', 'none', 'outline-width outline-color outline-offset'],
  ['text-decoration-line', 'none', 'text-decoration-style text-decoration-color text-decoration-thickness'],
  ['background-image', 'none', 'background-position-x background-position-y background-size'],
  ['background-image', 'none', 'background-repeat background-clip'],
  ['position', 'static', 'top right bottom left z-index'],
  ['stroke', 'none', 'stroke-width stroke-opacity stroke-dasharray'],
];

/** For each property that may paint nothing: the column and the value of another one for which it does. It is then left out. */
export const DEPENDENT: ReadonlyMap<string, { readonly column: number; readonly value: string }> = new Map(
  PAINTLESS.flatMap(([property, value, dependent]) => {
    const column = STYLE_PROPERTIES.indexOf(property);
    return words(dependent).map((name) => [name, { column, value }] as const);
  }),
);

/** A rendered element, pseudo-element or text. */
export interface PageNode {
  /** Index of the nearest rendered node around it; -1: there is none. Parents come before their children. */
  readonly parent: number;
  /** Such as `DIV`, `svg`, `::before`, `#text`. */
  readonly name: string;
  /** The content of a text. @default '' */
  readonly text?: string;
  /** @default there are none */
  readonly attributes?: readonly (readonly [name: string, value: string])[];
  /** The URL of the image that it shows. @default '' */
  readonly source?: string;
  /** The URL of the document in it. @default it is no frame, or its document cannot be read */
  readonly frameUrl?: string;
  readonly style: number;
  /** In CSS pixels of the document of the page: `x`, `y`, `width`, `height`. */
  readonly box: readonly [number, number, number, number];
  /** By which its declarations are asked for: the CDP node or, in other browsers, the index of a {@link StyledElement}, from 1. */
  readonly id: number;
}

/** The rendered nodes of a page, of its shadow roots and of its frames, in document order, and the values of their styles. */
export interface PageNodes {
  readonly url: string;
  readonly nodes: readonly PageNode[];
  readonly styles: readonly (readonly string[])[];
}

/** Reads the nodes of a page in Chromium. Shadow roots of the browser, which contain the values of inputs, are left out. */
export async function readNodes(session: CDPSession): Promise<PageNodes> {
  const asked = { computedStyles: [...STYLE_PROPERTIES] };
  const { strings, documents } = await session.send('DOMSnapshot.captureSnapshot', asked);
  const text = (index = -1) => strings[index] ?? '';
  const nodes: PageNode[] = [];
  const styles: string[][] = [];
  const rows = new Map<string, number>();
  const rowOf = (values: readonly number[]): number => {
    const key = values.join();
    const row = rows.get(key) ?? styles.push(values.map(text)) - 1;
    rows.set(key, row);
    return row;
  };
  const readDocument = (number: number, owner: number, left: number, top: number): void => {
    const document = documents[number];
    if (!document) return;
    const { nodes: own, layout } = document;
    const layoutOf = new Map(layout.nodeIndex.map((node, index) => [node, index]));
    const [shadows, frames, sources] = [own.shadowRootType, own.contentDocumentIndex, own.currentSourceURL].map(
      (rare) => new Map(rare?.index.map((node, index) => [node, rare.value[index] ?? -1])),
    );
    /** The nearest node that is rendered, of each node; -2: the node and its descendants are left out. */
    const nearest: number[] = [];
    for (const [node, parent] of own.parentIndex?.entries() ?? []) {
      const above = parent < 0 ? owner : (nearest[parent] ?? -2);
      nearest[node] = text(shadows?.get(node)) === 'user-agent' ? -2 : above;
      const place = layoutOf.get(node);
      const name = text(own.nodeName?.[node]);
      if (nearest[node] === -2 || place === undefined || name === '#document') continue;
      const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[place] ?? [];
      const box = [x + left, y + top, width, height] as const;
      const style = rowOf(layout.styles[place] ?? []);
      const frame = frames?.get(node);
      const content = {
        text: text(own.nodeValue?.[node]),
        attributes: pairsOf((own.attributes?.[node] ?? []).map(text)),
        source: text(sources?.get(node)),
        ...(frame !== undefined && { frameUrl: text(documents[frame]?.documentURL) }),
      };
      const id = own.backendNodeId?.[node] ?? 0;
      nearest[node] = nodes.push({ parent: above, name, ...content, style, box, id }) - 1;
      if (frame === undefined) continue;
      const size = (property: string) =>
        Number.parseFloat(styles[style]?.[STYLE_PROPERTIES.indexOf(property)] ?? '0') || 0;
      const { scrollOffsetX = 0, scrollOffsetY = 0 } = documents[frame] ?? {};
      const innerLeft = box[0] + size('border-left-width') + size('padding-left') - scrollOffsetX;
      const innerTop = box[1] + size('border-top-width') + size('padding-top') - scrollOffsetY;
      readDocument(frame, nearest[node], innerLeft, innerTop);
    }
  };
  readDocument(0, -1, 0, 0);
  return { url: text(documents[0]?.documentURL), nodes, styles };
}

function pairsOf(list: readonly string[]): (readonly [string, string])[] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : []));
}

export interface ReadPage {
  /** {@link PageNodes} as JSON: browsers transfer one long text much faster than objects. */
  readonly json: string;
  readonly elements: readonly StyledElement[];
}

/** An element or, with `::before` or `::after`, a pseudo-element of it. */
export interface StyledElement {
  readonly element: Element;
  readonly pseudo: '' | '::before' | '::after';
}

/** The styles that are read, and the {@link DEPENDENT} ones by their columns. */
export interface ReadStyles {
  readonly properties: readonly string[];
  readonly dependent: readonly ({ readonly column: number; readonly value: string } | null)[];
}

/**
 * Runs in the page, in browsers that have no protocol for it. Reads what {@link readNodes} reads, of frames of the same origin. A page cannot
 * measure a pseudo-element, so it has the box of its element.
 */
export function readPage({ properties, dependent }: ReadStyles): ReadPage {
  const nodes: PageNode[] = [];
  const styles: string[][] = [];
  const rows = new Map<string, number>();
  const elements: StyledElement[] = [];
  // A node of another document is no instance of this window's classes.
  const isElement = (node: Node): node is Element => node.nodeType === 1;

  const rowOf = (style: CSSStyleDeclaration): number => {
    const values: string[] = [];
    const isPaintless = (column: number) => {
      const other = dependent[column];
      return other && (values[other.column] ?? style.getPropertyValue(properties[other.column] ?? '')) === other.value;
    };
    for (const [column, property] of properties.entries())
      values.push(isPaintless(column) ? '' : style.getPropertyValue(property));
    const key = values.join('\n');
    const row = rows.get(key) ?? styles.push(values) - 1;
    rows.set(key, row);
    return row;
  };

  const readDocument = (view: Window, owner: number, left: number, top: number): void => {
    const { document } = view;
    const closed = (view.__proofsheet?.closedRoots ?? []).flatMap((reference) => reference.deref() ?? []);
    const closedRoots = new Map(closed.map((root) => [root.host, root]));
    const range = document.createRange();
    const add = (node: Omit<PageNode, 'box'>, { x, y, width, height }: DOMRect): number =>
      nodes.push({ ...node, box: [x + left, y + top, width, height] }) - 1;

    const readText = (node: Node, parent: number, style: number): void => {
      const text = node.nodeValue ?? '';
      if (text.trim() === '') return;
      range.selectNodeContents(node);
      if (range.getClientRects().length > 0)
        add({ parent, name: '#text', text, style, id: 0 }, range.getBoundingClientRect());
    };

    const readPseudo = (element: Element, pseudo: '::before' | '::after', parent: number): void => {
      const style = view.getComputedStyle(element, pseudo);
      const isEmpty = [style.width, style.height].some((size) => size === '0px');
      if (/^(none|normal|)$/.test(style.content) || style.display === 'none' || isEmpty) return;
      const id = elements.push({ element, pseudo });
      add({ parent, name: pseudo, style: rowOf(style), id }, element.getBoundingClientRect());
    };

    const addElement = (element: Element, parent: number, style: number, computed: CSSStyleDeclaration): number => {
      const isDrawing = /svg$/.test(element.namespaceURI ?? '');
      const names = isDrawing ? element.getAttributeNames() : ['id', 'class', 'role', 'aria-label', 'alt', 'title'];
      const attributes = names.flatMap((name) => {
        const value = element.getAttribute(name);
        return value === null ? [] : [[name, value] as const];
      });
      const { currentSrc, contentWindow }: Partial<HTMLImageElement & HTMLIFrameElement> = element;
      const { contentDocument }: Partial<HTMLIFrameElement> = element;
      const content = {
        ...(currentSrc && element.localName === 'img' && { source: currentSrc }),
        ...(contentDocument && { frameUrl: contentDocument.URL }),
      };
      const box = element.getBoundingClientRect();
      const id = elements.push({ element, pseudo: '' });
      const node = add({ parent, name: element.nodeName, attributes, ...content, style, id }, box);
      const size = (property: string) => Number.parseFloat(computed.getPropertyValue(property)) || 0;
      const innerLeft = left + box.x + size('border-left-width') + size('padding-left');
      const innerTop = top + box.y + size('border-top-width') + size('padding-top');
      if (contentDocument && contentWindow) readDocument(contentWindow, node, innerLeft, innerTop);
      return node;
    };

    const readElement = (element: Element, parent: number): void => {
      const computed = view.getComputedStyle(element);
      const isRendered = element.checkVisibility();
      // With `display: contents`, only the children of an element have boxes.
      if (!isRendered && computed.display !== 'contents') return;
      const style = rowOf(computed);
      const node = isRendered ? addElement(element, parent, style, computed) : parent;
      readPseudo(element, '::before', node);
      const root = element.shadowRoot ?? closedRoots.get(element);
      for (const child of [...(root?.childNodes ?? []), ...element.childNodes]) {
        if (child.nodeType === 3) readText(child, node, style);
        else if (isElement(child)) readElement(child, node);
      }
      readPseudo(element, '::after', node);
    };
    readElement(document.documentElement, owner);
  };
  readDocument(window, -1, scrollX, scrollY);
  return { json: JSON.stringify({ url: document.URL, nodes, styles }), elements };
}
