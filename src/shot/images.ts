import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../baselines/index.js';
import {
  beforeLink,
  type Capture,
  type Comparison,
  captureLink,
  diffLink,
  type EncodedImage,
  hasChangeDescription,
  mediaTypeOf,
  type Shot,
  type ShotFormat,
  type Size,
} from '../model/index.js';
import type { BaselinePath } from './claim-baseline.js';
import type { Outcome } from './decide.js';
import { PageFailure } from './page-session.js';

/** An image of a shot, with its link in the report, its attachment name and its file. */
export interface ShotImage {
  readonly link: string;
  readonly attachment: string;
  readonly contentType: string;
  readonly path: string;
  /** The bytes to write; null: the file has them. */
  readonly bytes: Buffer | null;
  readonly size: Size;
  /** The URL of the page, or a description such as `baseline`. */
  readonly source: string;
  /** SHA-256 of the bytes, if `approve` can make them a baseline. */
  readonly sha256?: string;
}

export interface ShotImages {
  readonly before: ShotImage | null;
  readonly after: ShotImage | null;
  readonly diff: ShotImage | null;
}

export const NO_IMAGES: ShotImages = { before: null, after: null, diff: null };

/**
 * Lists the images of an outcome. Their attachment names end in `-expected`, `-actual` and `-diff`, with the same file extension,
 * so that Playwright's HTML report and trace viewer show an image diff. The prefix `_` hides the images of a shot that passed.
 *
 * @param baseline - the path of the baseline, which is the image of a page that is not captured again
 * @param approvable - the after image with the record of a baseline, for `approve`; null if it cannot become one
 */
export function listImages(
  outcome: Outcome,
  { imageName, format, url }: Pick<Shot, 'imageName'> & { readonly format: ShotFormat; readonly url: string },
  { stagingFolder, baseline }: { readonly stagingFolder: string; readonly baseline: Pick<BaselinePath, 'path'> },
  approvable: Buffer | null,
): ShotImages {
  const uuids = { before: randomUUID(), after: randomUUID() };
  const prefix = outcome.status === 'passed' || outcome.status === 'reused' ? '_' : '';
  const imageOf = (role: Role, link: string, { bytes, size }: Drawn, source: string): ShotImage => {
    // The diff is always PNG. Playwright shows it with the others only if all have the same file extension.
    const attachment = `${prefix}${imageName}-${role}.${format}`;
    const contentType = mediaTypeOf(role === 'diff' ? 'png' : format) ?? '';
    return { link, attachment, contentType, path: join(stagingFolder, attachment), bytes, size, source };
  };
  const captured = (role: Role, { image, url, takenAt }: Capture, uuid: string) =>
    imageOf(role, captureLink(url, uuid, takenAt, format), image, url);
  const afterOf = (capture: Capture) => captured('actual', capture, uuids.after);
  const diffOf = (comparison: Comparison, { link }: ShotImage) =>
    hasChangeDescription(comparison)
      ? imageOf('diff', diffLink(link), { bytes: comparison.diff, size: comparison.diffSize }, 'comparison')
      : null;
  const approved = (after: ShotImage): ShotImage =>
    approvable ? { ...after, bytes: approvable, sha256: sha256(approvable) } : after;
  switch (outcome.status) {
    case 'skipped':
      return NO_IMAGES;
    case 'reused': {
      const link = captureLink(url, uuids.after, Date.parse(outcome.stored.capture.fetchTime), format);
      // The file is attached where it is, not copied.
      const drawn = imageOf('actual', link, outcome.baseline.image, 'baseline');
      const image = { ...drawn, path: baseline.path, bytes: null };
      return { before: image, after: image, diff: null };
    }
    case 'error': {
      const { problem, capture } = outcome;
      if (capture) return { ...NO_IMAGES, after: afterOf(capture) };
      if (problem.kind !== 'failed' || !(problem.error instanceof PageFailure)) return NO_IMAGES;
      const link = captureLink(url, uuids.after, Date.now(), format);
      return { ...NO_IMAGES, after: imageOf('actual', link, problem.error.image, 'what the page shows instead') };
    }
    case 'new':
      return { ...NO_IMAGES, after: approved(afterOf(outcome.capture)) };
    case 'unstable': {
      const after = afterOf(outcome.capture);
      const before = imageOf('previous', beforeLink(after.link, format), outcome.previous, 'previous screenshot');
      return { before, after, diff: diffOf(outcome.motion, after) };
    }
    case 'passed':
    case 'changed': {
      const { before } = outcome;
      const after = afterOf(outcome.capture);
      const diff = diffOf(before.comparison, after);
      if (before.kind === 'live') return { before: captured('expected', before.capture, uuids.before), after, diff };
      // A baseline with equal bytes uses the file of the capture, unless that is to be approved: then it has another record.
      if (before.comparison.kind === 'equal' && outcome.status === 'passed')
        return { before: { ...after, source: 'baseline' }, after, diff };
      const expected = imageOf('expected', beforeLink(after.link, format), before.baseline.image, 'baseline');
      return { before: expected, after: outcome.status === 'changed' ? approved(after) : after, diff };
    }
    default:
      return outcome satisfies never;
  }
}

type Role = 'expected' | 'previous' | 'actual' | 'diff';
type Drawn = Pick<EncodedImage, 'bytes' | 'size'>;

/** Returns each file of the images once: images with equal bytes share a link and therefore a file. */
export function distinctImages({ before, after, diff }: ShotImages): ShotImage[] {
  const all = [before, after, diff].filter((image) => image !== null);
  return [...new Map(all.map((image) => [image.link, image])).values()];
}

/** Writes the images into the staging folder. @throws the error of the file system */
export async function writeImages(images: ShotImages): Promise<void> {
  const files = distinctImages(images).map(async ({ path, bytes }) => {
    if (bytes === null) return;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  });
  await Promise.all(files);
}
