import { createHash } from 'node:crypto';
import type { CDPSession } from '@playwright/test';
import type {
  BrokenResource,
  CapturedStructure,
  EncodedImage,
  Exclusion,
  Rectangle,
  Structure,
  StructureRequest,
} from '../../model/index.js';
import { isChromium } from '../browser/page-state.js';
import { withTimeLimit } from '../browser/timing.js';
import type { CaptureContext } from '../capture-context.js';
import { findRules, locateRules } from './find-rules.js';
import { flattenSnapshot, urlCleanerOf } from './flatten-snapshot.js';
import type { SourceMaps } from './source-maps.js';
import { STYLE_PROPERTIES } from './style-properties.js';

/** Maximum number of nodes of a page whose structure is read. A snapshot of this many takes about half a second. */
const MAX_NODES = 15_000;

/** Maximum time for each of the two steps in the browser, in milliseconds: the snapshot, and the declarations. */
const TIME_LIMIT_MS = 1_000;

/** An image of the page. */
interface ShotImage {
  readonly image: EncodedImage;
  /** The masked and ignored areas. */
  readonly excluded: readonly Exclusion[];
  /** Returns the function that maps a box in CSS pixels of the document to image pixels. */
  readonly placement: () => Promise<(box: Rectangle) => Rectangle>;
  /** The page did not keep changing. */
  readonly isStable: boolean;
  /** What the page did not load. */
  readonly broken: readonly BrokenResource[];
}

/**
 * Reads the structure of a page after its image, and the declarations that the request asks for. In Chromium only. A printed page has
 * no structure.
 *
 * @returns null if nothing is asked for this image, or if the page is too large or does not respond in time: the structure only
 *   explains a change, it decides nothing.
 */
export async function readStructure(
  { page, state, settings }: Pick<CaptureContext, 'page' | 'state' | 'settings'>,
  request: StructureRequest | null,
  { image, excluded, placement, isStable, broken }: ShotImage,
  sourceMaps: SourceMaps,
): Promise<CapturedStructure | null> {
  if (!request?.isNeeded(image.bytes, isStable) || !isChromium(page) || settings.format === 'pdf') return null;
  const { redact } = request;
  const session = await state.session();
  const flattened = await inTime(async () => {
    if ((await page.evaluate(countNodes)) > MAX_NODES) return null;
    const [place, hashes, snapshot] = await Promise.all([
      placement(),
      // An unstable page may be loaded again before its images are read, in the same session.
      isStable ? hashImages(session).catch(() => new Map<string, string>()) : new Map<string, string>(),
      session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...STYLE_PROPERTIES] }),
    ]);
    const areas = excluded.flatMap(({ rectangles }) => rectangles);
    return flattenSnapshot(snapshot, {
      size: image.size,
      place,
      excluded: areas,
      redact,
      hashOf: (url) => hashes.get(url),
    });
  });
  if (!flattened) return null;
  const cleanUrl = urlCleanerOf(page.url(), redact);
  const { nodes } = flattened;
  const structure: Structure = {
    ...flattened.structure,
    ...(broken.length > 0 && { broken: broken.map((resource) => ({ ...resource, url: cleanUrl(resource.url) })) }),
  };
  const questions = await request.ask(structure);
  const found = await inTime(() => findRules(session, nodes, questions, cleanUrl));
  return { structure, answers: await locateRules(session, sourceMaps, found ?? [], cleanUrl) };
}

/** Returns null for work that fails, or that takes too long. */
function inTime<T>(work: () => Promise<T>): Promise<T | null> {
  return withTimeLimit<T | null, null>(
    TIME_LIMIT_MS,
    work().catch(() => null),
    () => null,
  );
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

type FrameTree = Awaited<ReturnType<typeof readResources>>['frameTree'];

/**
 * Hashes the loaded images of a page, because an image may change under the same URL. Images beyond the limits have no hash.
 *
 * @returns the hash of each URL
 */
async function hashImages(session: CDPSession): Promise<ReadonlyMap<string, string>> {
  const { frameTree } = await readResources(session);
  let left = HASHED.allBytes;
  const images = imagesIn(frameTree).filter(({ bytes }) => {
    left -= bytes;
    return bytes <= HASHED.bytes && left >= 0;
  });
  if (images.length === 0) return new Map();
  // Contents are read only from an enabled session. Its events are not used.
  await session.send('Page.enable');
  const hashed = images
    .slice(0, HASHED.images)
    .map(async ({ frameId, url }): Promise<(readonly [string, string])[]> => {
      const content = await session.send('Page.getResourceContent', { frameId, url }).catch(() => null);
      return content ? [[url, createHash('sha256').update(content.content).digest('hex').slice(0, 12)]] : [];
    });
  const hashes = new Map((await Promise.all(hashed)).flat());
  await session.send('Page.disable');
  return hashes;
}

function readResources(session: CDPSession) {
  return session.send('Page.getResourceTree');
}

function imagesIn({
  frame,
  resources,
  childFrames = [],
}: FrameTree): { frameId: string; url: string; bytes: number }[] {
  const own = resources
    .filter(({ type, failed, url }) => type === 'Image' && !failed && !url.startsWith('data:'))
    .map(({ url, contentSize = 0 }) => ({ frameId: frame.id, url, bytes: contentSize }));
  return [...own, ...childFrames.flatMap(imagesIn)];
}
