import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import { replaceFile } from '../baselines/index.js';
import {
  adviseFileError,
  type ErrorCode,
  IMAGES_FOLDER,
  isLink,
  mediaTypeOf,
  messageOf,
  ProofsheetError,
  resolveLink,
} from '../model/index.js';

/** A file in a storage. */
export interface Stored {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Stores captures until they expire. */
export interface Storage {
  /**
   * Writes a file.
   *
   * @param link a link of `model/links`: `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`.
   * @throws ProofsheetError `storage-failed`
   */
  put(link: string, bytes: Buffer): Promise<void>;
  /** Returns the file at a link; null if it does not exist, has expired, or the link is invalid. */
  get(link: string): Promise<Stored | null>;
  /** Removes files older than `before`, in milliseconds since 1970. */
  prune(before: number): Promise<void>;
}

/**
 * Opens a storage.
 *
 * @param place a folder, or `s3://bucket/prefix`.
 * @throws ProofsheetError `command-invalid`, `storage-failed`
 */
export function openStorage(place: string): Promise<Storage> {
  return place.startsWith('s3://') ? openBucketStorage(place) : openFolderStorage(place);
}

function fault(code: ErrorCode, where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

function notLink(where: string): ProofsheetError {
  return fault('storage-failed', where, 'this is not the link of a capture', 'Use a link that the service returned.');
}

/** Returns the content type for a file extension; null if the service stores no such files. */
function contentTypeOf(name: string): string | null {
  const extension = extname(name).slice(1);
  return extension === 'html' ? 'text/html; charset=utf-8' : mediaTypeOf(extension);
}

/**
 * Opens a storage in a folder, which it creates. Writes are atomic.
 *
 * @throws ProofsheetError `storage-failed` if the folder cannot be written to.
 */
export async function openFolderStorage(folder: string): Promise<Storage> {
  const failed = (what: string, cause: unknown) =>
    fault('storage-failed', folder, `${what} (${messageOf(cause)})`, `${adviseFileError(cause)}.`);
  try {
    await mkdir(folder, { recursive: true });
    await rmdir(await mkdtemp(join(folder, '.proofsheet-')));
  } catch (cause) {
    throw failed('the folder cannot be written to', cause);
  }
  return {
    async put(link, bytes) {
      const path = resolveLink(folder, link);
      if (path === null) throw notLink(link);
      await replaceFile(path, bytes).catch((cause) => {
        throw failed('the capture cannot be written', cause);
      });
    },
    async get(link) {
      const path = resolveLink(folder, link);
      const contentType = contentTypeOf(link);
      if (path === null || contentType === null) return null;
      const bytes = await readFile(path).catch(() => null);
      return bytes && { bytes, contentType };
    },
    prune: (before) => pruneFolder(join(folder, IMAGES_FOLDER), before),
  };
}

async function pruneFolder(folder: string, before: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs >= before) continue;
    await rm(path, { force: true });
    // Remove the folders of the capture and of the host once they are empty.
    for (const parent of [dirname(path), dirname(dirname(path))]) await rmdir(parent).catch(() => {});
  }
}

/** Opens a bucket to publish files. @param place `s3://bucket/prefix` @throws ProofsheetError `command-invalid`, `storage-failed` */
export async function openPublicBucket(place: string) {
  const { s3, client, bucket, prefix, keyOf } = await openBucket(place, '--to');
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL;
  const host = `https://${bucket}.s3.${await attempt(client.config.region(), place)}.amazonaws.com`;
  return {
    /** The address of the folder of all files, as the storage itself has it. It ends with a slash. */
    address: `${endpoint ? `${endpoint.replace(/\/+$/, '')}/${bucket}` : host}/${prefix}`,
    async has(path: string) {
      const head = client.send(new s3.HeadObjectCommand(keyOf(path)));
      return (await attempt(head.catch(missingToNull), place)) !== null;
    },
    async put(path: string, Body: Buffer, ContentType: string, CacheControl: string) {
      await attempt(client.send(new s3.PutObjectCommand({ ...keyOf(path), Body, ContentType, CacheControl })), place);
    },
  };
}

const PARALLEL_DELETES = 16;

async function openBucketStorage(place: string): Promise<Storage> {
  const { s3, client, bucket, prefix, keyOf } = await openBucket(place, '--storage');
  await attempt(client.send(new s3.HeadBucketCommand({ Bucket: bucket })), `s3://${bucket}`);
  return {
    async put(link, bytes) {
      if (!isLink(link)) throw notLink(link);
      const ContentType = contentTypeOf(link) ?? 'application/octet-stream';
      await attempt(client.send(new s3.PutObjectCommand({ ...keyOf(link), Body: bytes, ContentType })));
    },
    async get(link) {
      const contentType = contentTypeOf(link);
      if (!isLink(link) || contentType === null) return null;
      const read = client.send(new s3.GetObjectCommand(keyOf(link))).then(({ Body }) => Body?.transformToByteArray());
      const bytes = await attempt(read.catch(missingToNull));
      return bytes ? { bytes: Buffer.from(bytes), contentType } : null;
    },
    async prune(before) {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${IMAGES_FOLDER}/` });
      const queue = new PQueue({ concurrency: PARALLEL_DELETES });
      for await (const { Contents = [] } of pages) {
        const old = Contents.filter(({ LastModified }) => (LastModified?.getTime() ?? before) < before);
        // Delete objects individually: servers differ in their support of bulk deletes.
        const commands = old.map(({ Key }) => new s3.DeleteObjectCommand({ Bucket: bucket, Key }));
        await attempt(queue.addAll(commands.map((command) => () => client.send(command))));
      }
    },
  };
}

function missingToNull(cause: unknown): null {
  if (cause instanceof Error && /^(NoSuchKey|NotFound)$/.test(cause.name)) return null;
  throw cause;
}

/**
 * Opens an S3-compatible bucket. Region, endpoint and credentials come from the `AWS_…` environment variables.
 *
 * @param flag - the flag that needs the S3 client, which is an optional dependency
 */
async function openBucket(place: string, flag: string) {
  const [, bucket, folder = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/+(.*?))?\/*$/i.exec(place) ?? [];
  if (bucket === undefined)
    throw fault('command-invalid', place, 'the bucket name is missing', 'Use s3://bucket or s3://bucket/prefix.');
  const s3 = await import('@aws-sdk/client-s3').catch(() => {
    throw fault('command-invalid', flag, 'the S3 client is not installed', 'Run: npm install @aws-sdk/client-s3');
  });
  const prefix = folder === '' ? '' : `${folder}/`;
  const keyOf = (path: string) => ({ Bucket: bucket, Key: prefix + path });
  return { s3, client: new s3.S3Client(settingsOf(process.env)), bucket, prefix, keyOf };
}

function settingsOf(env: NodeJS.ProcessEnv): ConstructorParameters<typeof S3Client>[0] & object {
  const hasOwnEndpoint = Boolean(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  return {
    // S3-compatible servers need path-style URLs, accept any region, and do not support trailing checksums.
    ...(hasOwnEndpoint && { forcePathStyle: true, region: env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1' }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  };
}

/** Converts errors. Only the startup check names the bucket: callers of the service must not learn it. */
function attempt<T>(work: Promise<T>, where = 'the storage'): Promise<T> {
  return work.catch((cause) => {
    throw fault(
      'storage-failed',
      where,
      `the bucket is not accessible (${reasonOf(cause)})`,
      'Check AWS_REGION, AWS_ENDPOINT_URL and the credentials. Permissions to read, write, list and delete objects are required.',
    );
  });
}

/** Prefers the error's name or code: AWS messages contain account and user names. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return messageOf(cause);
  if ('code' in cause) return String(cause.code);
  return cause.name === 'Error' ? (cause.message.split('\n')[0] ?? '') : cause.name;
}
