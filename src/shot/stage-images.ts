import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safePart, safePathParts } from '../baselines/index.js';
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
import { PageFailure } from './page-failure.js';

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
}

/** The images of a shot. An image that does not exist is null. */
export interface ShotImages {
  readonly before: ShotImage | null;
  readonly after: ShotImage | null;
  readonly diff: ShotImage | null;
}

/** The images of a shot that has none. */
export const NO_IMAGES: ShotImages = { before: null, after: null, diff: null };

/** A test attachment: a file or a body. */
export interface StagedAttachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
  readonly body?: Buffer;
}

/**
 * Lists the images of an outcome. Their attachment names end in `-expected`, `-actual` and `-diff`, with the same file extension,
 * so that Playwright's HTML report and trace viewer show an image diff. The prefix `_` hides the images of a shot that passed.
 */
export function listImages(shot: Shot, outcome: Outcome, uuids: { before: string; after: string }): ShotImages {
  const uuid = uuids.after;
  const names = namesFor(shot, outcome.status === 'passed');
  const afterOf = (capture: Capture) => imageOfCapture(capture, names('actual'), linkOf(shot, capture, uuid));
  switch (outcome.status) {
    case 'skipped':
      return NO_IMAGES;
    case 'error':
      if (outcome.error instanceof PageFailure)
        return { ...NO_IMAGES, after: imageOfFailure(shot, outcome.error, uuid) };
      return outcome.capture ? { ...NO_IMAGES, after: afterOf(outcome.capture) } : NO_IMAGES;
    case 'new':
      return { ...NO_IMAGES, after: afterOf(outcome.capture) };
    case 'unstable': {
      const { capture, previous } = outcome.result;
      const link = linkOf(shot, capture, uuid);
      const after = afterOf(capture);
      const before = {
        ...names('previous'),
        link: beforeLink(link, shot.capture.format),
        bytes: previous.bytes,
        size: previous.size,
        source: 'previous screenshot',
      };
      return { before, after, diff: diffOf(outcome.motion, names('diff'), link) };
    }
    case 'passed':
    case 'changed': {
      const link = linkOf(shot, outcome.capture, uuid);
      const after = afterOf(outcome.capture);
      return {
        before: beforeOf(shot, outcome, after, names('expected'), uuids.before),
        after,
        diff: diffOf(outcome.before.comparison, names('diff'), link),
      };
    }
    default:
      return outcome satisfies never;
  }
}

/** Lists the images of a shot that was not captured: its baseline is both. */
export function imagesOfBaseline(shot: Shot, { bytes, size }: EncodedImage, link: string): ShotImages {
  const image = { ...namesFor(shot, true)('actual'), link, bytes, size, source: 'baseline' };
  return { before: image, after: image, diff: null };
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
  await mkdir(folder, { recursive: true });
  const attachments = distinct.map(({ attachment, contentType }) => {
    return { name: attachment, contentType, path: join(folder, attachment) };
  });
  await Promise.all(distinct.map((image, index) => writeFile(attachments[index]?.path ?? '', image.bytes)));
  return { attachments, placements: distinct.map(({ link, attachment }) => ({ link, attachment })) };
}

/** Attaches an existing file as the image of a shot, without a copy. */
export function attachFile({ after }: ShotImages, path: string): StagedImages {
  if (after === null) throw new Error('expected an image');
  const { link, attachment: name, contentType } = after;
  return { attachments: [{ name, contentType, path }], placements: [{ link, attachment: name }] };
}

type NameForRole = (role: string) => Pick<ShotImage, 'attachment' | 'contentType'>;

function namesFor(shot: Shot, hidden: boolean): NameForRole {
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

function linkOf({ capture: { format } }: Shot, { url, takenAt }: Capture, uuid: string): string {
  return captureLink(url, uuid, takenAt, format);
}

function imageOfCapture(capture: Capture, name: ReturnType<NameForRole>, link: string): ShotImage {
  return { ...name, link, bytes: capture.image.bytes, size: capture.image.size, source: capture.url };
}

function imageOfFailure(shot: Shot, { image: { bytes, size } }: PageFailure, uuid: string): ShotImage {
  const link = captureLink(shot.after.url, uuid, Date.now(), shot.capture.format);
  return { ...namesFor(shot, false)('actual'), link, bytes, size, source: 'what the page shows instead' };
}

function beforeOf(
  shot: Shot,
  { before }: Extract<Outcome, { status: 'passed' | 'changed' }>,
  after: ShotImage,
  name: ReturnType<NameForRole>,
  uuid: string,
): ShotImage {
  if (before.kind === 'live') return imageOfCapture(before.capture, name, linkOf(shot, before.capture, uuid));
  // A baseline with equal bytes uses the file of the capture.
  if (before.comparison.kind === 'equal') return { ...after, source: 'baseline' };
  const { bytes, size } = before.image;
  return { ...name, link: beforeLink(after.link, shot.capture.format), bytes, size, source: 'baseline' };
}

function diffOf(comparison: Comparison, name: ReturnType<NameForRole>, link: string): ShotImage | null {
  if (!hasChangeDescription(comparison)) return null;
  const { diff, diffSize } = comparison;
  return { ...name, link: diffLink(link), bytes: diff, size: diffSize, source: 'comparison' };
}
