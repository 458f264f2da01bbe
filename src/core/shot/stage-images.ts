import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeLink, captureLink, diffLink } from '../../baselines/paths.js';
import type { ShotMessage } from '../../model/attachments.js';
import type { Capture } from '../../model/capture.js';
import { type Comparison, isExplained } from '../../model/comparison.js';
import { codecOf, type ShotFormat, type Size } from '../../model/image.js';
import type { Shot } from '../../model/shot.js';
import { safePathParts } from '../../page-list/resolve/names.js';
import type { Outcome } from './decide.js';

/** An image of a shot: where it belongs in the report, and what it is called beside the test. */
export interface ShotImage {
  readonly link: string;
  readonly attachment: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly size: Size;
  /** Where it came from: a URL, or what else it is. */
  readonly source: string;
}

/** The three images of a shot, as far as there are any. */
export interface ShotImages {
  readonly before: ShotImage | null;
  readonly after: ShotImage | null;
  readonly diff: ShotImage | null;
}

/** Something to attach to a test: a file, or a body. */
export interface StagedAttachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
  readonly body?: Buffer;
}

/**
 * Lists the images of an outcome under the names by which Playwright's HTML report and trace viewer show an image diff:
 * `-expected`, `-actual`, `-diff`, all with one ending. The images of a shot that passed are hidden there (`_`).
 */
export function listImages(shot: Shot, outcome: Outcome, uuids: { before: string; after: string }): ShotImages {
  const uuid = uuids.after;
  const names = namesFor(shot, outcome.status === 'passed');
  switch (outcome.status) {
    case 'skipped':
      return NO_IMAGES;
    case 'error':
    case 'new': {
      const { capture } = outcome;
      return capture
        ? { ...NO_IMAGES, after: captured(capture, names('actual'), linkOf(shot, capture, uuid)) }
        : NO_IMAGES;
    }
    case 'unstable': {
      const { capture, previous } = outcome.result;
      const link = linkOf(shot, capture, uuid);
      const after = captured(capture, names('actual'), link);
      const before = {
        ...names('previous'),
        link: beforeLink(link, shot.capture.format),
        bytes: previous.bytes,
        size: previous.size,
        source: 'the shot before',
      };
      return { before, after, diff: diffOf(outcome.motion, names('diff'), link) };
    }
    case 'passed':
    case 'changed': {
      const link = linkOf(shot, outcome.capture, uuid);
      const after = captured(outcome.capture, names('actual'), link);
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

/** Writes images into the staging folder, each once. */
export async function stageImages(
  images: ShotImages,
  folder: string,
): Promise<{ attachments: StagedAttachment[]; placements: ShotMessage['images'] }> {
  const all = [images.before, images.after, images.diff].filter((image) => image !== null);
  // Equal bytes are one file under one link.
  const distinct = [...new Map(all.map((image) => [image.link, image])).values()];
  await mkdir(folder, { recursive: true });
  const attachments = distinct.map(({ attachment, contentType }) => {
    return { name: attachment, contentType, path: join(folder, attachment) };
  });
  await Promise.all(distinct.map((image, index) => writeFile(attachments[index]?.path ?? '', image.bytes)));
  return { attachments, placements: distinct.map(({ link, attachment }) => ({ link, attachment })) };
}

type Naming = (role: string) => Pick<ShotImage, 'attachment' | 'contentType'>;

const NO_IMAGES: ShotImages = { before: null, after: null, diff: null };

function namesFor(shot: Shot, hidden: boolean): Naming {
  const { format } = shot.capture;
  const base = safePathParts(shot).join('-');
  return (role) => ({
    // The diff is PNG whatever its ending says: the report shows it beside the others only under their ending.
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

function captured(capture: Capture, name: ReturnType<Naming>, link: string): ShotImage {
  return { ...name, link, bytes: capture.image.bytes, size: capture.image.size, source: capture.url };
}

function beforeOf(
  shot: Shot,
  { before }: Extract<Outcome, { status: 'passed' | 'changed' }>,
  after: ShotImage,
  name: ReturnType<Naming>,
  uuid: string,
): ShotImage {
  if (before.kind === 'live') return captured(before.capture, name, linkOf(shot, before.capture, uuid));
  // A baseline of equal bytes is shown by the very file of the capture.
  if (before.comparison.kind === 'equal') return { ...after, source: 'baseline' };
  const { bytes, size } = before.image;
  return { ...name, link: beforeLink(after.link, shot.capture.format), bytes, size, source: 'baseline' };
}

function diffOf(comparison: Comparison, name: ReturnType<Naming>, link: string): ShotImage | null {
  if (!isExplained(comparison)) return null;
  const { diff, diffSize } = comparison;
  return { ...name, link: diffLink(link), bytes: diff, size: diffSize, source: 'comparison' };
}
