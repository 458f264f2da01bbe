import { createHash } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import type {
  BrokenResource,
  CapturedStructure,
  EncodedImage,
  Exclusion,
  Rectangle,
  Structure,
  StyleAnswer,
  StyleQuestion,
} from '../../model/index.js';
import { isChromium } from '../browser/page-control.js';
import { inTime } from '../browser/timing.js';
import type { CaptureContext } from '../capture-context.js';
import { findRules, locateRules } from './find-rules.js';
import { flattenNodes, urlCleanerOf } from './flatten-nodes.js';
import { DEPENDENT, type PageNodes, readNodes, readPage, STYLE_PROPERTIES } from './page-nodes.js';
import { findPageRules } from './page-rules.js';
import type { SourceMaps } from './source-maps.js';

/** Maximum number of nodes of a page whose structure is read. A snapshot of this many takes about half a second. */
const MAX_NODES = 15_000;

/** Maximum time for each of the two steps in the browser, in milliseconds: the snapshot, and the declarations. */
const TIME_LIMIT_MS = { byProtocol: 5_000, inPage: 10_000 };

interface ShotImage {
  readonly image: EncodedImage;
  readonly excluded: readonly Exclusion[];
  /** Returns the function that maps a box in CSS pixels of the document to image pixels. */
  readonly placement: () => Promise<(box: Rectangle) => Rectangle>;
  /** The page did not keep changing. */
  readonly isStable: boolean;
  readonly broken: readonly BrokenResource[];
}

/**
 * Reads the structure of a page after its image, and the declarations that the request asks for. A printed page has no structure.
 *
 * @returns null if nothing is asked for this image, or if the page is too large or does not respond in time: a change then has no causes,
 *   and with a baseline of another environment, the pixels decide.
 */
export async function readStructure(
  context: Pick<CaptureContext, 'page' | 'session' | 'settings' | 'structure' | 'sourceMaps'>,
  { image, excluded, placement, isStable, broken }: ShotImage,
): Promise<CapturedStructure | null> {
  const { page, session, settings, structure: request, sourceMaps } = context;
  if (!request?.isNeeded(image.bytes, isStable) || settings.format === 'pdf') return null;
  const { redact } = request;
  const timeLimitMs = isChromium(page) ? TIME_LIMIT_MS.byProtocol : TIME_LIMIT_MS.inPage;
  const readWithAreas = async () => {
    if ((await page.evaluate(countNodes)) > MAX_NODES) return null;
    const reading = isChromium(page)
      ? readByProtocol(page, await session(), sourceMaps, isStable)
      : readInPage(page, isStable);
    const [place, { nodes, hashes, answer }] = await Promise.all([placement(), reading]);
    const areas = excluded.flatMap(({ rectangles }) => rectangles);
    const hashOf = (url: string) => hashes.get(url);
    return { ...flattenNodes(nodes, { size: image.size, place, excluded: areas, redact, hashOf }), answer };
  };
  const read = await inTime(timeLimitMs, readWithAreas());
  if (!read) return null;
  const cleanUrl = urlCleanerOf(page.url(), redact);
  const structure: Structure = {
    ...read.structure,
    ...(broken.length > 0 && { broken: broken.map((resource) => ({ ...resource, url: cleanUrl(resource.url) })) }),
  };
  return { structure, answers: await read.answer(read.ids, await request.ask(structure), cleanUrl) };
}

interface StructureReading {
  readonly nodes: PageNodes;
  /** The hashes of its images, by URL. Of an unstable page, there are none. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Looks up declarations. `ids` are those of the nodes of each element of the structure. */
  answer(
    ids: readonly number[],
    questions: readonly StyleQuestion[],
    cleanUrl: (url: string) => string,
  ): Promise<StyleAnswer[]>;
}

export async function readByProtocol(
  page: Page,
  session: CDPSession,
  sourceMaps: SourceMaps,
  isStable: boolean,
): Promise<StructureReading> {
  const [hashes, nodes] = await Promise.all([
    // An unstable page may be loaded again before its images are read, in the same session.
    isStable ? hashImages(session).catch(() => new Map<string, string>()) : new Map<string, string>(),
    readNodes(session),
  ]);
  return {
    ...{ nodes, hashes },
    async answer(ids, questions, cleanUrl) {
      const found = await inTime(TIME_LIMIT_MS.byProtocol, findRules(session, ids, questions, cleanUrl));
      return locateRules(page, sourceMaps, found ?? [], cleanUrl);
    },
  };
}

export async function readInPage(page: Page, isStable: boolean): Promise<StructureReading> {
  const dependent = STYLE_PROPERTIES.map((property) => DEPENDENT.get(property) ?? null);
  const read = await page.evaluateHandle(readPage, { properties: STYLE_PROPERTIES, dependent });
  const nodes: PageNodes = JSON.parse(await read.evaluate(({ json }) => json));
  const hashes = isStable ? await page.evaluate(hashPageImages, imagesOf(nodes)).catch(() => []) : [];
  return {
    ...{ nodes, hashes: new Map(hashes) },
    async answer(ids, questions, cleanUrl) {
      return (await inTime(TIME_LIMIT_MS.inPage, findPageRules(read, ids, questions, cleanUrl))) ?? [];
    },
  };
}

/** Lists the images that a page shows, as far as their number is limited. */
function imagesOf({ nodes, styles }: PageNodes): string[] {
  const sources = nodes.flatMap(({ source = [] }) => source);
  const painted = styles.flat().flatMap((text) => /^url\("(.*?)"\)/.exec(text)?.[1] ?? []);
  const urls = [...sources, ...painted].filter((url) => !url.startsWith('data:'));
  return [...new Set(urls)].slice(0, HASHED.images);
}

/** Runs in the page. Hashes images that the cache of the browser has: the server gets no request. */
async function hashPageImages(urls: readonly string[]): Promise<[string, string][]> {
  const hashed = urls.map(async (url): Promise<[string, string][]> => {
    const options: RequestInit = url.startsWith('blob:') ? {} : { cache: 'only-if-cached', mode: 'same-origin' };
    const response = await fetch(url, options).catch(() => null);
    if (!response?.ok) return [];
    let hash = 0;
    for (const byte of new Uint8Array(await response.arrayBuffer())) hash = (Math.imul(hash, 31) + byte) | 0;
    return [[url, hash.toString(16)]];
  });
  return (await Promise.all(hashed)).flat();
}

/** Runs in the page. Texts are nodes, too. */
function countNodes(): number {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) count++;
  return count;
}

/** Limits of the images whose content is hashed: their number, and the bytes of one and of all. */
const HASHED = { images: 60, bytes: 2_000_000, allBytes: 16_000_000 };

/** Hashes the loaded images of a page by their URLs, under which they may change. Images beyond the limits have no hash. */
async function hashImages(session: CDPSession): Promise<ReadonlyMap<string, string>> {
  const { frameTree } = await session.send('Page.getResourceTree');
  const frames = [frameTree];
  for (const { childFrames = [] } of frames) frames.push(...childFrames);
  let left = HASHED.allBytes;
  const images = frames
    .flatMap(({ frame, resources }) => resources.map((resource) => ({ ...resource, frameId: frame.id })))
    .filter(({ type, failed, url }) => type === 'Image' && !failed && !url.startsWith('data:'))
    .filter(({ contentSize: bytes = 0 }) => {
      left -= bytes;
      return bytes <= HASHED.bytes && left >= 0;
    });
  if (images.length === 0) return new Map();
  // Contents are read only from an enabled session. Its events are not used.
  await session.send('Page.enable');
  const hashed = images.slice(0, HASHED.images).map(async ({ frameId, url }) => {
    const found = await session.send('Page.getResourceContent', { frameId, url }).catch(() => null);
    return found ? [[url, createHash('sha256').update(found.content).digest('hex').slice(0, 12)] as const] : [];
  });
  const hashes = new Map((await Promise.all(hashed)).flat());
  await session.send('Page.disable');
  return hashes;
}
