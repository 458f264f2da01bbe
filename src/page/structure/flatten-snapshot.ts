import { createHash } from 'node:crypto';
import { isIntersecting } from '../../compare/index.js';
import { isWithin } from '../../image/index.js';
import {
  type Rectangle,
  type Size,
  type Structure,
  type StructureElement,
  withoutGenerated,
} from '../../model/index.js';
import type { PageSnapshot } from './page-snapshot.js';
import { DEPENDENT, STYLE_PROPERTIES } from './style-properties.js';

/** The image of the page, and what must not be read from it. */
export interface ImageView {
  readonly size: Size;
  /** Maps a box in CSS pixels of the document to image pixels. */
  place(box: Rectangle): Rectangle;
  /** Masked and ignored areas, in image pixels. */
  readonly excluded: readonly Rectangle[];
  /** Removes secrets from a text. */
  redact(text: string): string;
  /** Returns the hash of the content of an image; undefined: not known. */
  hashOf(url: string): string | undefined;
}

/** A structure, and the CDP node of each element. */
export interface FlattenedSnapshot {
  readonly structure: Structure;
  readonly nodes: readonly number[];
}

/** Maximum number of characters of a text, a name, an id or a class, and of a URL. */
const MAX_LENGTH = { text: 80, url: 200 };

/** Number of characters of a text that its hash depends on. Its length is part of the hash, too. */
const MAX_HASHED = 10_000;

interface Entry extends Omit<StructureElement, 'box' | 'style'> {
  readonly box: Rectangle;
  readonly values: readonly string[] | null;
  readonly node: number;
}

/**
 * Converts a snapshot of a page to its structure: rendered elements and texts that the image shows, in document order. Frames of the
 * page's own origin and all shadow roots are part of it, except those of the browser, which contain the values of inputs.
 */
export function flattenSnapshot(snapshot: PageSnapshot, view: ImageView): FlattenedSnapshot {
  const text = (index: number | undefined) => snapshot.strings[index ?? -1] ?? '';
  const origin = originOf(text(snapshot.documents[0]?.documentURL));
  const cleanUrl = urlCleanerOf(text(snapshot.documents[0]?.documentURL), view.redact);
  const entries: Entry[] = [];
  walkDocument(0, { x: 0, y: 0 }, -1);
  return compact(entries, view.size);

  function walkDocument(number: number, offset: Offset, owner: number): void {
    const page = snapshot.documents[number];
    if (!page) return;
    const { nodes } = page;
    const layoutOf = new Map(page.layout.nodeIndex.map((node, index) => [node, index]));
    const [shadows, frames, sources] = [nodes.shadowRootType, nodes.contentDocumentIndex, nodes.currentSourceURL].map(
      (rare) => new Map(rare?.index.map((node, index) => [node, rare.value[index] ?? -1])),
    );
    /** The nearest entry of each node; -2: the node and its descendants are left out. */
    const entryOf = new Int32Array(nodes.nodeName?.length ?? 0);
    for (const [node, parent] of nodes.parentIndex?.entries() ?? []) {
      const above = parent < 0 ? owner : (entryOf[parent] ?? -2);
      const nodeName = text(nodes.nodeName?.[node]);
      const tag = nodeName.toLowerCase();
      const isOwn = text(shadows?.get(node)) !== 'user-agent' && tag !== 'proofsheet-masks';
      entryOf[node] = above === -2 || !isOwn ? -2 : above;
      const layout = layoutOf.get(node);
      if (entryOf[node] === -2 || layout === undefined || tag === '#document') continue;
      const box = boxOf(page.layout.bounds[layout], offset);
      const values = page.layout.styles[layout]?.map(text) ?? [];
      const attributes = attributesOf(nodes.attributes?.[node]?.map(text) ?? []);
      const isText = nodes.nodeType?.[node] === TEXT_NODE;
      const frame = frames?.get(node);
      const frameUrl = text(snapshot.documents[frame ?? -1]?.documentURL);
      const isOpaqueFrame = frame === undefined || !(frameUrl.startsWith('about:') || originOf(frameUrl) === origin);
      const content = isText
        ? textOf(text(nodes.nodeValue?.[node]))
        : elementOf(tag, attributes, text(sources?.get(node)), values, isOpaqueFrame);
      const placed = placeOf(box);
      const isRoot = entries.length === 0;
      if (!content || (!isRoot && isLeftOut(placed, values, isText))) continue;
      const shown = isTouched(placed) && !isRoot ? withoutContent(content) : content;
      const parentEntry = entries[above];
      const isInDrawing = parentEntry !== undefined && SVG_PARENT.test(parentEntry.tag);
      // The names of HTML elements are in upper case, such as those of an image in a link.
      const isDrawing = !isText && nodeName !== nodeName.toUpperCase() && (tag === 'svg' || isInDrawing);
      entries.push({
        ...shown,
        ...(isDrawing && drawingOf(attributes)),
        ...{ parent: above, tag, box: placed, values: isText ? null : values, node: nodes.backendNodeId?.[node] ?? 0 },
      });
      entryOf[node] = entries.length - 1;
      if (frame !== undefined && !isOpaqueFrame) {
        const inner = contentBox(box, values);
        const { scrollOffsetX = 0, scrollOffsetY = 0 } = snapshot.documents[frame] ?? {};
        walkDocument(frame, { x: inner.x - scrollOffsetX, y: inner.y - scrollOffsetY }, entries.length - 1);
      }
    }
  }

  /** What is empty stays empty: rounded, a line break would be a pixel wide at some places, and not at others. */
  function placeOf(box: Rectangle): Rectangle {
    return { ...view.place(box), ...(box.width === 0 && { width: 0 }), ...(box.height === 0 && { height: 0 }) };
  }

  function textOf(value: string): Content | null {
    const whole = view.redact(value.slice(0, MAX_HASHED)).replace(/\s+/g, ' ').trim();
    return whole === ''
      ? null
      : { text: shorten(whole), hash: hash(`${value.length > MAX_HASHED ? value.length : ''}${whole}`) };
  }

  function elementOf(
    tag: string,
    attributes: ReadonlyMap<string, string>,
    source: string,
    values: readonly string[],
    isOpaqueFrame: boolean,
  ): Content {
    const classes = (attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== '');
    const [id, role] = [attributes.get('id'), attributes.get('role')];
    const name = attributes.get('aria-label') ?? attributes.get('alt') ?? attributes.get('title');
    const opaque = OPAQUE.get(tag) ?? (FRAME.test(tag) && isOpaqueFrame ? 'frame' : undefined);
    const url = source === '' ? (/url\("(.*?)"\)/.exec(values[BACKGROUND_IMAGE] ?? '')?.[1] ?? '') : source;
    const known = url === '' ? undefined : view.hashOf(url);
    return {
      ...(id && { id: clean(id) }),
      ...(classes.length > 0 && { classes: classes.slice(0, 20).map(clean) }),
      ...(role && { role: clean(role) }),
      ...(name && { name: clean(name) }),
      ...(opaque && { opaque }),
      ...(url !== '' && { image: cleanUrl(url) }),
      ...(known !== undefined && { hash: known }),
    };
  }

  function drawingOf(attributes: ReadonlyMap<string, string>): Content {
    const drawn = [...attributes].filter(([name]) => !NOT_DRAWN.test(name) && !STYLE_PROPERTIES.includes(name));
    const whole = drawn.map(([name, value]) => `${name}=${referenceOf(name, value)}`).join(' ');
    return whole === '' ? {} : { text: clean(whole), hash: hash(whole) };
  }

  /** Removes from references what differs between equal pages. */
  function referenceOf(name: string, value: string): string {
    if (!/^(xlink:)?href$/.test(name)) return value.replace(/url\([^)]*\)/g, withoutGenerated);
    const [, url = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(value) ?? [];
    return `${url === '' ? '' : cleanUrl(url)}${withoutGenerated(fragment)}`;
  }

  function isLeftOut(box: Rectangle, values: readonly string[], isText: boolean): boolean {
    if (values[VISIBILITY] !== 'visible') return true;
    return view.excluded.some((area) => (isText ? isIntersecting(box, area) : isWithin(box, area)));
  }

  function isTouched(box: Rectangle): boolean {
    return view.excluded.some((area) => isIntersecting(box, area));
  }

  function clean(value: string): string {
    return shorten(view.redact(value.slice(0, MAX_HASHED)));
  }

  function compact(all: readonly Entry[], size: Size): FlattenedSnapshot {
    const image = { x: 0, y: 0, ...size };
    // An empty element of the document, such as a line break, has a place.
    const areaOf = ({ tag, box }: Entry): Rectangle =>
      tag.startsWith('::') ? box : { ...box, width: Math.max(1, box.width), height: Math.max(1, box.height) };
    const isKept = all.map((entry, index) => index === 0 || isIntersecting(areaOf(entry), image));
    // Children come after their parents.
    for (let index = all.length - 1; index > 0; index--) if (isKept[index]) isKept[all[index]?.parent ?? 0] = true;
    const newIndex = new Map(
      [...all.keys()].filter((index) => isKept[index]).map((index, position) => [index, position]),
    );
    const rows = new Map<string, number>();
    const styles: string[][] = [];
    const elements = all.flatMap(({ values, node, box, parent, ...entry }, index): StructureElement[] => {
      if (!isKept[index]) return [];
      const place: StructureElement['box'] = [box.x, box.y, box.width, box.height];
      return [{ ...entry, parent: newIndex.get(parent) ?? -1, box: place, ...(values && { style: rowOf(values) }) }];
    });
    const nodes = all.flatMap(({ node }, index) => (isKept[index] ? [node] : []));
    return { structure: { schemaVersion: 1, properties: [...STYLE_PROPERTIES], styles, elements }, nodes };

    function rowOf(values: readonly string[]): number {
      const key = values.join('\n');
      const known = rows.get(key);
      if (known !== undefined) return known;
      rows.set(key, styles.length);
      styles.push(STYLE_PROPERTIES.map((property, column) => styleOf(property, values[column] ?? '', values)));
      return styles.length - 1;
    }
  }

  function styleOf(property: string, value: string, values: readonly string[]): string {
    const dependency = DEPENDENT.get(property);
    if (dependency && dependency.value === (values[dependency.column] ?? '')) return '';
    const urls = value.replace(/url\("(.*?)"\)/gs, (_, url: string) => `url("${cleanUrl(url)}")`);
    return view.redact(urls.slice(0, MAX_HASHED)).slice(0, MAX_LENGTH.url);
  }
}

/**
 * Creates the function that removes from URLs what differs between equal pages or is secret: the origin of the page, queries, and the
 * addresses of content that a script made.
 */
export function urlCleanerOf(pageUrl: string, redact: ImageView['redact']): (url: string) => string {
  const origin = originOf(pageUrl);
  return (url) => {
    if (url.startsWith('data:')) return `data:${hash(url)}`;
    if (url.startsWith('blob:')) return 'blob:';
    const bare = url.replace(/[?#].*$/s, '');
    return redact(bare.startsWith(`${origin}/`) ? bare.slice(origin.length) : bare).slice(0, MAX_LENGTH.url);
  };
}

type Content = Partial<
  Pick<StructureElement, 'id' | 'classes' | 'role' | 'name' | 'text' | 'hash' | 'image' | 'opaque'>
>;

interface Offset {
  readonly x: number;
  readonly y: number;
}

const TEXT_NODE = 3;
const VISIBILITY = STYLE_PROPERTIES.indexOf('visibility');
const BACKGROUND_IMAGE = STYLE_PROPERTIES.indexOf('background-image');

/** Elements whose content is not a part of the document. */
const OPAQUE = new Map<string, NonNullable<StructureElement['opaque']>>([
  ['canvas', 'canvas'],
  ['video', 'video'],
  ['embed', 'frame'],
  ['object', 'frame'],
  ...['input', 'textarea', 'select', 'progress', 'meter'].map((tag) => [tag, 'input'] as const),
]);
const FRAME = /^(iframe|frame|fencedframe)$/;

/** Elements of SVG that contain elements of SVG. */
const SVG_PARENT =
  /^(svg|g|defs|symbol|use|a|clippath|mask|pattern|marker|lineargradient|radialgradient|text|tspan|switch)$/;
const NOT_DRAWN = /^(id|class|style|role|focusable|tabindex|lang|xmlns.*|aria-.*|data-.*|on.*)$/;

function withoutContent({ id, classes, opaque }: Content): Content {
  return { ...(id !== undefined && { id }), ...(classes && { classes }), ...(opaque && { opaque }) };
}

function attributesOf(list: readonly string[]): Map<string, string> {
  return new Map(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : [])));
}

function boxOf(bounds: readonly number[] = [], { x, y }: Offset): Rectangle {
  const [left = 0, top = 0, width = 0, height = 0] = bounds;
  return { x: left + x, y: top + y, width, height };
}

/** Returns a box without border and padding. */
function contentBox({ x, y, width, height }: Rectangle, values: readonly string[]): Rectangle {
  const size = (name: string) => Number.parseFloat(values[STYLE_PROPERTIES.indexOf(name)] ?? '0') || 0;
  const left = size('border-left-width') + size('padding-left');
  const top = size('border-top-width') + size('padding-top');
  return { x: x + left, y: y + top, width, height };
}

function originOf(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url.replace(/:.*$/s, '');
}

function shorten(value: string): string {
  return value.length > MAX_LENGTH.text ? `${value.slice(0, MAX_LENGTH.text)}…` : value;
}

function hash(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 12);
}
