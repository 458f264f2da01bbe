import { createHash } from 'node:crypto';
import { isIntersecting } from '../../compare/index.js';
import { isWithin } from '../../image/index.js';
import {
  cutText,
  type Rectangle,
  type Size,
  type Structure,
  type StructureElement,
  withoutGenerated,
} from '../../model/index.js';
import { DEPENDENT, type PageNode, type PageNodes, STYLE_PROPERTIES } from './page-nodes.js';

/** The image of the page, and what must not be read from it. */
export interface ImageView {
  readonly size: Size;
  /** Maps a box in CSS pixels of the document to image pixels. */
  place(box: Rectangle): Rectangle;
  readonly excluded: readonly Rectangle[];
  redact(text: string): string;
  /** Returns the hash of the content of an image; undefined: not known. */
  hashOf(url: string): string | undefined;
}

export interface FlattenedNodes {
  readonly structure: Structure;
  /** The id of the node of each element. */
  readonly ids: readonly number[];
}

/** Maximum number of characters. `text`: also of a name, an id or a class. */
const MAX_LENGTH = { text: 80, url: 200 };

/** Number of characters of a text that its hash depends on. Its length is part of the hash, too. */
const MAX_HASHED = 10_000;

interface Entry extends Omit<StructureElement, 'box' | 'style'> {
  readonly box: Rectangle;
  /** Index of its styles; null: it is a text. */
  readonly row: number | null;
  readonly node: number;
}

/**
 * Converts the nodes of a page to its structure: elements and texts that the image shows, in document order. Frames are part of it if they are
 * of the page's own origin.
 */
export function flattenNodes({ url: pageUrl, nodes, styles: rows }: PageNodes, view: ImageView): FlattenedNodes {
  const origin = originOf(pageUrl);
  const cleanUrl = urlCleanerOf(pageUrl, view.redact);
  const entries: Entry[] = [];
  /** The nearest entry of each node; -2: the node and its descendants are left out. */
  const entryOf: number[] = [];
  for (const [index, node] of nodes.entries()) {
    const { parent, name, frameUrl } = node;
    const above = parent < 0 ? -1 : (entryOf[parent] ?? -2);
    const tag = name.toLowerCase();
    const isLost = above === -2 || tag === 'proofsheet-masks';
    // The document of a frame that is left out is left out, too.
    entryOf[index] = isLost || frameUrl !== undefined ? -2 : above;
    if (isLost) continue;
    const isOpaqueFrame = frameUrl === undefined || !(frameUrl.startsWith('about:') || originOf(frameUrl) === origin);
    const values = rows[node.style] ?? [];
    const isText = name === '#text';
    const content = isText ? textOf(node.text ?? '') : elementOf(node, tag, values, isOpaqueFrame);
    const box = placeOf(node.box);
    const isRoot = entries.length === 0;
    const isHidden = values[VISIBILITY] !== 'visible' || isExcluded(box, isText ? isIntersecting : isWithin);
    if (!content || (isHidden && !isRoot)) continue;
    const shown = isExcluded(box, isIntersecting) && !isRoot ? withoutContent(content) : content;
    const parentEntry = entries[above];
    const isInDrawing = parentEntry !== undefined && SVG_PARENT.test(parentEntry.tag);
    // The names of HTML elements are in upper case, such as those of an image in a link.
    const isDrawing = !isText && name !== name.toUpperCase() && (tag === 'svg' || isInDrawing);
    const place = { parent: above, tag, box, row: isText ? null : node.style, node: node.id };
    entries.push({ ...shown, ...(isDrawing && drawingOf(node)), ...place });
    if (frameUrl === undefined || !isOpaqueFrame) entryOf[index] = entries.length - 1;
  }
  return compact(entries, view.size);

  /** What is empty stays empty: rounded, a line break would be a pixel wide at some places, and not at others. */
  function placeOf([x, y, width, height]: PageNode['box']): Rectangle {
    const placed = view.place({ x, y, width, height });
    return { ...placed, ...(width === 0 && { width: 0 }), ...(height === 0 && { height: 0 }) };
  }

  function textOf(value: string): Content | null {
    const whole = view.redact(value.slice(0, MAX_HASHED)).replace(/\s+/g, ' ').trim();
    if (whole === '') return null;
    const length = value.length > MAX_HASHED ? value.length : '';
    return { text: cutText(whole, MAX_LENGTH.text), hash: hash(`${length}${whole}`) };
  }

  function elementOf(
    { attributes: pairs, source = '', frameUrl }: PageNode,
    tag: string,
    values: readonly string[],
    isOpaqueFrame: boolean,
  ): Content {
    const attributes = new Map(pairs);
    const classes = (attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== '');
    const [id, role] = [attributes.get('id'), attributes.get('role')];
    const name = attributes.get('aria-label') ?? attributes.get('alt') ?? attributes.get('title');
    const ownFrame = frameUrl !== undefined && /^(data|blob):/.test(frameUrl) ? 'frame' : 'other-site';
    const opaque = OPAQUE.get(tag) ?? (FRAME.test(tag) && isOpaqueFrame ? ownFrame : undefined);
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

  function drawingOf({ attributes = [] }: PageNode): Content {
    const drawn = attributes.filter(([name]) => !NOT_DRAWN.test(name) && !STYLE_PROPERTIES.includes(name));
    const whole = drawn.map(([name, value]) => `${name}=${referenceOf(name, value)}`).join(' ');
    return whole === '' ? {} : { text: clean(whole), hash: hash(whole) };
  }

  /** Removes from references what differs between equal pages. */
  function referenceOf(name: string, value: string): string {
    if (!/^(xlink:)?href$/.test(name)) return value.replace(/url\([^)]*\)/g, withoutGenerated);
    const [, url = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(value) ?? [];
    return `${url === '' ? '' : cleanUrl(url)}${withoutGenerated(fragment)}`;
  }

  function isExcluded(box: Rectangle, isIn: typeof isWithin): boolean {
    return view.excluded.some((area) => isIn(box, area));
  }

  function clean(value: string): string {
    return cutText(view.redact(value.slice(0, MAX_HASHED)), MAX_LENGTH.text);
  }

  function compact(all: readonly Entry[], size: Size): FlattenedNodes {
    const image = { x: 0, y: 0, ...size };
    // An empty element of the document, such as a line break, has a place.
    const areaOf = ({ tag, box }: Entry): Rectangle =>
      tag.startsWith('::') ? box : { ...box, width: Math.max(1, box.width), height: Math.max(1, box.height) };
    const isKept = all.map((entry, index) => index === 0 || isIntersecting(areaOf(entry), image));
    // Children come after their parents.
    for (let index = all.length - 1; index > 0; index--) if (isKept[index]) isKept[all[index]?.parent ?? 0] = true;
    const keptIndexes = [...all.keys()].filter((index) => isKept[index]);
    const newIndex = new Map(keptIndexes.map((index, position) => [index, position]));
    const kept = all.filter((_, index) => isKept[index]);
    const used = [...new Set(kept.flatMap(({ row }) => row ?? []))];
    const newRow = new Map(used.map((row, position) => [row, position]));
    const styles = used.map((row) => {
      const values = rows[row] ?? [];
      return STYLE_PROPERTIES.map((property, column) => styleOf(property, values[column] ?? '', values));
    });
    const elements = kept.map(({ row, node: _, box, parent, ...entry }): StructureElement => {
      const place: StructureElement['box'] = [box.x, box.y, box.width, box.height];
      const style = row === null ? {} : { style: newRow.get(row) ?? -1 };
      return { ...entry, parent: newIndex.get(parent) ?? -1, box: place, ...style };
    });
    return {
      structure: { schemaVersion: 1, properties: [...STYLE_PROPERTIES], styles, elements },
      ids: kept.map(({ node }) => node),
    };
  }

  function styleOf(property: string, value: string, values: readonly string[]): string {
    const dependency = DEPENDENT.get(property);
    if (dependency && dependency.value === (values[dependency.column] ?? '')) return '';
    const urls = value.replace(/url\("(.*?)"\)/gs, (_, url: string) => `url("${cleanUrl(url)}")`);
    return view.redact(urls.slice(0, MAX_HASHED)).slice(0, MAX_LENGTH.url);
  }
}

/** Removes from URLs what differs between equal pages or is secret: the origin of the page, queries, and addresses of what a script made. */
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

const SVG_PARENT =
  /^(svg|g|defs|symbol|use|a|clippath|mask|pattern|marker|lineargradient|radialgradient|text|tspan|switch)$/;
const NOT_DRAWN = /^(id|class|style|role|focusable|tabindex|lang|xmlns.*|aria-.*|data-.*|on.*)$/;

function withoutContent({ id, classes, opaque }: Content): Content {
  return { ...(id !== undefined && { id }), ...(classes && { classes }), ...(opaque && { opaque }) };
}

function originOf(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url.replace(/:.*$/s, '');
}

function hash(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 12);
}
