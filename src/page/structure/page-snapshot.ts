/** A value that few nodes have: the indexes of these nodes, and the value of each. */
interface Rare {
  readonly index: readonly number[];
  readonly value: readonly number[];
}

/**
 * A snapshot of a page, with the styles of a structure, as `DOMSnapshot.captureSnapshot` of Chromium returns it. Texts are indexes into its
 * `strings`, and nodes are indexes into the nodes of their document. Parents come before their children.
 */
export interface PageSnapshot {
  readonly strings: readonly string[];
  readonly documents: readonly DocumentSnapshot[];
}

interface DocumentSnapshot {
  readonly documentURL: number;
  readonly scrollOffsetX?: number;
  readonly scrollOffsetY?: number;
  readonly nodes: {
    readonly parentIndex?: readonly number[];
    readonly nodeType?: readonly number[];
    readonly nodeName?: readonly number[];
    readonly nodeValue?: readonly number[];
    readonly backendNodeId?: readonly number[];
    readonly attributes?: readonly (readonly number[])[];
    readonly shadowRootType?: Rare;
    readonly contentDocumentIndex?: Rare;
    readonly currentSourceURL?: Rare;
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
  };
}

/** A snapshot that was read in the page. */
export interface ReadPage {
  /** The {@link PageSnapshot} as JSON: browsers transfer one long text much faster than objects. */
  readonly json: string;
  /** What `backendNodeId` stands for, which counts from 1. */
  readonly elements: readonly StyledElement[];
}

/** An element or, with `::before` or `::after`, a pseudo-element of it. */
export interface StyledElement {
  readonly element: Element;
  readonly pseudo: '' | '::before' | '::after';
}

/** The styles that are read. */
export interface ReadStyles {
  readonly properties: readonly string[];
  /** For each property that may paint nothing: the column and the value of another one for which it is not read. */
  readonly dependent: readonly ({ readonly column: number; readonly value: string } | null)[];
}

declare global {
  interface Window {
    /** The closed shadow roots that scripts created. */
    __proofsheetClosedRoots?: WeakRef<ShadowRoot>[];
  }
}

/**
 * Runs in the page, in browsers that have no protocol for a {@link PageSnapshot}. Reads the rendered elements and texts of the document, of its
 * shadow roots, and of its frames of the same origin. A pseudo-element has the box of its element: a page cannot measure it.
 */
export function readPage({ properties, dependent }: ReadStyles): ReadPage {
  const strings: string[] = [];
  const numbers = new Map<string, number>();
  const documents: DocumentSnapshot[] = [];
  const elements: StyledElement[] = [];
  const intern = (text: string): number => {
    const number = numbers.get(text) ?? strings.push(text) - 1;
    numbers.set(text, number);
    return number;
  };

  // A node of another document is no instance of this window's classes.
  const isElement = (node: Node): node is Element => node.nodeType === 1;

  const readDocument = (view: Window): number => {
    const nodes = {
      ...{ parentIndex: [] as number[], nodeType: [] as number[], nodeName: [] as number[], nodeValue: [] as number[] },
      ...{ backendNodeId: [] as number[], attributes: [] as number[][] },
      contentDocumentIndex: { index: [] as number[], value: [] as number[] },
      currentSourceURL: { index: [] as number[], value: [] as number[] },
    };
    const layout = { nodeIndex: [] as number[], styles: [] as number[][], bounds: [] as number[][] };
    const { scrollX: scrollOffsetX, scrollY: scrollOffsetY, document } = view;
    const documentURL = intern(document.URL);
    // The number of a document is known before those of the frames in it.
    const number = documents.push({ documentURL, scrollOffsetX, scrollOffsetY, nodes, layout }) - 1;
    const closed = (view.__proofsheetClosedRoots ?? []).flatMap((reference) => reference.deref() ?? []);
    const closedRoots = new Map(closed.map((root) => [root.host, root]));
    const range = document.createRange();

    const add = (parent: number, node: Node, name: string, { x, y, width, height }: DOMRect, styles: number[]) => {
      const index = nodes.parentIndex.push(parent) - 1;
      nodes.nodeType.push(node.nodeType);
      nodes.nodeName.push(intern(name));
      nodes.nodeValue.push(intern(node.nodeValue ?? ''));
      nodes.backendNodeId.push(name === '#text' ? 0 : elements.length);
      nodes.attributes.push([]);
      layout.nodeIndex.push(index);
      layout.styles.push(styles);
      layout.bounds.push([x + scrollOffsetX, y + scrollOffsetY, width, height]);
      return index;
    };

    const valuesOf = (style: CSSStyleDeclaration): number[] => {
      const values: string[] = [];
      const isPaintless = (column: number) => {
        const other = dependent[column];
        return (
          other && (values[other.column] ?? style.getPropertyValue(properties[other.column] ?? '')) === other.value
        );
      };
      for (const [column, property] of properties.entries())
        values.push(isPaintless(column) ? '' : style.getPropertyValue(property));
      return values.map(intern);
    };

    const readText = (text: Node, parent: number, styles: number[]): void => {
      if ((text.nodeValue ?? '').trim() === '') return;
      range.selectNodeContents(text);
      if (range.getClientRects().length > 0) add(parent, text, '#text', range.getBoundingClientRect(), styles);
    };

    const readPseudo = (element: Element, pseudo: '::before' | '::after', parent: number): void => {
      const style = view.getComputedStyle(element, pseudo);
      const isEmpty = [style.width, style.height].some((size) => size === '0px');
      if (/^(none|normal|)$/.test(style.content) || style.display === 'none' || isEmpty) return;
      elements.push({ element, pseudo });
      add(parent, element, pseudo, element.getBoundingClientRect(), valuesOf(style));
    };

    const addElement = (element: Element, parent: number, styles: number[]): number => {
      elements.push({ element, pseudo: '' });
      const node = add(parent, element, element.nodeName, element.getBoundingClientRect(), styles);
      const isDrawing = /svg$/.test(element.namespaceURI ?? '');
      const names = isDrawing ? element.getAttributeNames() : ['id', 'class', 'role', 'aria-label', 'alt', 'title'];
      nodes.attributes[node] = names.flatMap((name) => {
        const value = element.getAttribute(name);
        return value === null ? [] : [intern(name), intern(value)];
      });
      const { currentSrc, contentWindow }: Partial<HTMLImageElement & HTMLIFrameElement> = element;
      if (currentSrc && element.localName === 'img') {
        nodes.currentSourceURL.index.push(node);
        nodes.currentSourceURL.value.push(intern(currentSrc));
      }
      const { contentDocument }: Partial<HTMLIFrameElement> = element;
      if (contentDocument && contentWindow) {
        nodes.contentDocumentIndex.index.push(node);
        nodes.contentDocumentIndex.value.push(readDocument(contentWindow));
      }
      return node;
    };

    const readElement = (element: Element, parent: number): void => {
      const style = view.getComputedStyle(element);
      const isRendered = element.checkVisibility();
      // With `display: contents`, only the children of an element have boxes.
      if (!isRendered && style.display !== 'contents') return;
      const styles = valuesOf(style);
      const node = isRendered ? addElement(element, parent, styles) : parent;
      readPseudo(element, '::before', node);
      const root = element.shadowRoot ?? closedRoots.get(element);
      for (const child of [...(root?.childNodes ?? []), ...element.childNodes]) {
        if (child.nodeType === 3) readText(child, node, styles);
        else if (isElement(child)) readElement(child, node);
      }
      readPseudo(element, '::after', node);
    };
    readElement(document.documentElement, -1);
    return number;
  };
  readDocument(window);
  return { json: JSON.stringify({ strings, documents }), elements };
}
