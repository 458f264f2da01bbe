import { createHash } from 'node:crypto';
import type { CDPSession } from '@playwright/test';

/** Limits of the images whose content is hashed: their number, and the bytes of one and of all. */
const MAX = { images: 60, bytes: 2_000_000, allBytes: 16_000_000 };

type FrameTree = Awaited<ReturnType<typeof readResources>>['frameTree'];

/**
 * Hashes the loaded images of a page, because an image may change under the same URL. Images beyond the limits have no hash.
 *
 * @returns the hash of each URL
 */
export async function hashImages(session: CDPSession): Promise<ReadonlyMap<string, string>> {
  const { frameTree } = await readResources(session);
  let left = MAX.allBytes;
  const images = imagesIn(frameTree).filter(({ bytes }) => {
    left -= bytes;
    return bytes <= MAX.bytes && left >= 0;
  });
  if (images.length === 0) return new Map();
  // Contents are read only from an enabled session. Its events are not used.
  await session.send('Page.enable');
  const hashed = images.slice(0, MAX.images).map(async ({ frameId, url }): Promise<(readonly [string, string])[]> => {
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
