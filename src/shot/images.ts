import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safePart, safePathParts, sha256 } from '../baselines/index.js';
import {
  beforeLink,
  type Capture,
  type Comparison,
  captureLink,
  codecOf,
  diffLink,
  type EncodedImage,
  hasChangeDescription,
  type Shot,
  type ShotFormat,
  type ShotMessage,
  type Size,
} from '../model/index.js';
import type { Outcome } from './decide.js';
import { PageFailure } from './page-session.js';

/** An image of a shot, with its link in the report and its attachment name. */
export interface ShotImage {
  readonly link: string;
  readonly attachment: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly size: Size;
  /** The URL of the page, or a description such as `baseline`. */
  readonly source: string;
  /** SHA-256 of the bytes, if `approve` can make them a baseline. */
  readonly sha256?: string;
  /** The file that already has the image. @default it is written into the staging folder */
  readonly path?: string;
}

/** The images of a shot. An image that does not exist is null. */
export interface ShotImages {
  readonly before: ShotImage | null;
  readonly after: ShotImage | null;
  readonly diff: ShotImage | null;
}

/** The images of a shot that has none. */
export const NO_IMAGES: ShotImages = { before: null, after: null, diff: null };

interface ImagePlaces {
  readonly uuids: { readonly before: string; readonly after: string };
  /** Absolute path of the baseline. */
  readonly baseline: string;
  /** The after image with the record of a baseline, for `approve`; null if it cannot become one. */
  readonly approvable: Buffer | null;
}

/**
 * Lists the images of an outcome. Their attachment names end in `-expected`, `-actual` and `-diff`, with the same file extension,
 * so that Playwright's HTML report and trace viewer show an image diff. The prefix `_` hides the images of a shot that passed.
 */
export function listImages(shot: Shot, outcome: Outcome, { uuids, baseline, approvable }: ImagePlaces): ShotImages {
  const { format } = shot.capture;
  const nameOf = namesFor(shot, outcome.status === 'passed' || outcome.status === 'reused');
  const imageOf = (role: Role, link: string, { bytes, size }: Drawn, source: string): ShotImage => {
    return { ...nameOf(role), link, bytes, size, source };
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
      const link = captureLink(shot.after.url, uuids.after, Date.parse(outcome.stored.capture.fetchTime), format);
      // The file is attached where it is, not copied.
      const image = { ...imageOf('actual', link, outcome.baseline.image, 'baseline'), path: baseline };
      return { before: image, after: image, diff: null };
    }
    case 'error': {
      const { problem, capture } = outcome;
      if (capture) return { ...NO_IMAGES, after: afterOf(capture) };
      if (problem.kind !== 'failed' || !(problem.error instanceof PageFailure)) return NO_IMAGES;
      const link = captureLink(shot.after.url, uuids.after, Date.now(), format);
      return { ...NO_IMAGES, after: imageOf('actual', link, problem.error.image, 'what the page shows instead') };
    }
    case 'new':
      return { ...NO_IMAGES, after: approved(afterOf(outcome.capture)) };
    case 'unstable': {
      const after = afterOf(outcome.result.capture);
      const before = imageOf(
        'previous',
        beforeLink(after.link, format),
        outcome.result.previous,
        'previous screenshot',
      );
      return { before, after, diff: diffOf(outcome.motion, after) };
    }
    case 'passed':
    case 'changed': {
      const { before } = outcome;
      const after = afterOf(outcome.capture);
      const diff = diffOf(before.comparison, after);
      if (before.kind === 'live') return { before: captured('expected', before.capture, uuids.before), after, diff };
      // A baseline with equal bytes uses the file of the capture.
      if (before.comparison.kind === 'equal') return { before: { ...after, source: 'baseline' }, after, diff };
      const expected = imageOf('expected', beforeLink(after.link, format), before.image, 'baseline');
      return { before: expected, after: outcome.status === 'changed' ? approved(after) : after, diff };
    }
    default:
      return outcome satisfies never;
  }
}

type Role = 'expected' | 'previous' | 'actual' | 'diff';
type Drawn = Pick<EncodedImage, 'bytes' | 'size'>;

function namesFor(shot: Shot, hidden: boolean): (role: Role) => Pick<ShotImage, 'attachment' | 'contentType'> {
  const { format } = shot.capture;
  // Each part is short enough for a file name, but all parts together may not be.
  const base = safePart(safePathParts(shot).join('-'));
  return (role) => ({
    // The diff is always PNG. Playwright shows it with the others only if all have the same file extension.
    attachment: `${hidden ? '_' : ''}${base}-${role}.${format}`,
    contentType: role === 'diff' ? 'image/png' : contentTypeOf(format),
  });
}

function contentTypeOf(format: ShotFormat): string {
  return format === 'pdf' ? 'application/pdf' : `image/${codecOf(format)}`;
}

/** A test attachment: a file or a body. */
export interface StagedAttachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
  readonly body?: Buffer;
}

/** The attachments of a shot, and the links of those that the report shows. */
export interface StagedImages {
  readonly attachments: readonly StagedAttachment[];
  readonly placements: ShotMessage['images'];
}

/** Writes the images into the staging folder. Images with the same link are written once. @throws the error of the file system */
export async function stageImages(images: ShotImages, folder: string): Promise<StagedImages> {
  const all = [images.before, images.after, images.diff].filter((image) => image !== null);
  // Images with equal bytes share a link and therefore a file.
  const distinct = [...new Map(all.map((image) => [image.link, image])).values()];
  if (distinct.some(({ path }) => path === undefined)) await mkdir(folder, { recursive: true });
  const attachments = distinct.map(async ({ attachment: name, contentType, bytes, path }) => {
    const file = path ?? join(folder, name);
    if (path === undefined) await writeFile(file, bytes);
    return { name, contentType, path: file };
  });
  return {
    attachments: await Promise.all(attachments),
    placements: distinct.map(({ link, attachment }) => ({ link, attachment })),
  };
}
