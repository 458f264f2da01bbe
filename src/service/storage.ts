import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import PQueue from 'p-queue';
import { replaceFile } from '../baselines/index.js';
import {
  adviseFileError,
  failure,
  firstLineOf,
  IMAGES_FOLDER,
  isLink,
  mediaTypeOf,
  messageOf,
} from '../model/index.js';

/** A file in a storage. */
export interface Stored {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Stores captures until they expire. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** A folder or a bucket. Paths are relative, with slashes, and stay inside: see `isLink`. */
interface Place extends Pick<Awaited<ReturnType<typeof openBucket>>, 'put' | 'get' | 'prune'> {
  check(): Promise<unknown>;
}

/**
 * Opens a storage.
 *
 * @param place a folder, which is created, or `s3://bucket/prefix`.
 * @throws ProofsheetError `command-invalid`, or `storage-failed` if it cannot be written to
 */
export async function openStorage(place: string) {
  const isBucket = place.startsWith('s3://');
  // Later errors do not name a bucket: callers of the service must not learn it.
  const files: Place = isBucket ? await openBucket(place, '--storage', 'the storage') : openFolder(place);
  await files.check();
  return {
    /** Writes a file to `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`. @throws ProofsheetError `storage-failed` */
    async put(link: string, bytes: Buffer): Promise<void> {
      const advice = 'Use a link that the service returned.';
      if (!isLink(link)) throw failure('storage-failed', link, 'this is not the link of a capture', advice);
      await files.put(link, bytes, contentTypeOf(link) ?? 'application/octet-stream');
    },
    /** Returns the file at a link; null if it does not exist, has expired, or the link is invalid. */
    async get(link: string): Promise<Stored | null> {
      const contentType = isLink(link) ? contentTypeOf(link) : null;
      const bytes = contentType === null ? null : await files.get(link);
      return bytes && contentType !== null ? { bytes, contentType } : null;
    },
    /** Removes files older than `before`, in milliseconds since 1970. */
    prune: files.prune,
  };
}

/** Returns the content type for a file extension; null if the service stores no such files. */
function contentTypeOf(name: string): string | null {
  const extension = extname(name).slice(1);
  return extension === 'html' ? 'text/html; charset=utf-8' : mediaTypeOf(extension);
}

function openFolder(folder: string): Place {
  const fail = (what: string) => (cause: unknown) => {
    throw failure('storage-failed', folder, `${what} (${messageOf(cause)})`, `${adviseFileError(cause)}.`);
  };
  const probe = async () => {
    await mkdir(folder, { recursive: true });
    await rmdir(await mkdtemp(join(folder, '.proofsheet-')));
  };
  return {
    check: () => probe().catch(fail('the folder cannot be written to')),
    put: (path, bytes) => replaceFile(join(folder, path), bytes).catch(fail('the capture cannot be written')),
    get: (path) => readFile(join(folder, path)).catch(() => null),
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

const PARALLEL_DELETES = 16;

/**
 * Opens an S3-compatible bucket. Region, endpoint and credentials come from the `AWS_…` environment variables.
 *
 * @param place `s3://bucket/prefix`
 * @param flag - the flag that needs the S3 client, which is an optional dependency
 * @param where - the name of the bucket in errors
 * @throws ProofsheetError `command-invalid`, `storage-failed`
 */
export async function openBucket(place: string, flag: string, where: string) {
  const [, Bucket, folder = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/+(.*?))?\/*$/i.exec(place) ?? [];
  if (Bucket === undefined)
    throw failure('command-invalid', place, 'the bucket name is missing', 'Use s3://bucket or s3://bucket/prefix.');
  const s3 = await import('@aws-sdk/client-s3').catch(() => {
    throw failure('command-invalid', flag, 'the S3 client is not installed', 'Run: npm install @aws-sdk/client-s3');
  });
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const client = new s3.S3Client({
    // S3-compatible servers need path-style URLs, accept any region, and do not support trailing checksums.
    ...(endpoint && { forcePathStyle: true, region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1' }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  const prefix = folder === '' ? '' : `${folder}/`;
  const keyOf = (path: string) => ({ Bucket, Key: prefix + path });
  return {
    /** The address of the folder of all files, as the storage itself has it. It ends with a slash. */
    async address(): Promise<string> {
      if (endpoint) return `${endpoint.replace(/\/+$/, '')}/${Bucket}/${prefix}`;
      return `https://${Bucket}.s3.${await attempt(client.config.region(), where)}.amazonaws.com/${prefix}`;
    },
    check: () => attempt(client.send(new s3.HeadBucketCommand({ Bucket })), `s3://${Bucket}`),
    async has(path: string): Promise<boolean> {
      const head = client.send(new s3.HeadObjectCommand(keyOf(path)));
      return (await attempt(head.catch(missingToNull), where)) !== null;
    },
    async put(path: string, Body: Buffer, ContentType: string, CacheControl?: string): Promise<void> {
      await attempt(client.send(new s3.PutObjectCommand({ ...keyOf(path), Body, ContentType, CacheControl })), where);
    },
    async get(path: string): Promise<Buffer | null> {
      const read = client.send(new s3.GetObjectCommand(keyOf(path))).then(({ Body }) => Body?.transformToByteArray());
      const bytes = await attempt(read.catch(missingToNull), where);
      return bytes ? Buffer.from(bytes) : null;
    },
    async prune(before: number): Promise<void> {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}${IMAGES_FOLDER}/` });
      const queue = new PQueue({ concurrency: PARALLEL_DELETES });
      for await (const { Contents = [] } of pages) {
        const old = Contents.filter(({ LastModified }) => (LastModified?.getTime() ?? before) < before);
        // Delete objects individually: servers differ in their support of bulk deletes.
        const commands = old.map(({ Key }) => new s3.DeleteObjectCommand({ Bucket, Key }));
        await attempt(queue.addAll(commands.map((command) => () => client.send(command))), where);
      }
    },
  };
}

function missingToNull(cause: unknown): null {
  if (cause instanceof Error && /^(NoSuchKey|NotFound)$/.test(cause.name)) return null;
  throw cause;
}

function attempt<T>(work: Promise<T>, where: string): Promise<T> {
  return work.catch((cause) => {
    const advice =
      'Check AWS_REGION, AWS_ENDPOINT_URL and the credentials. Permissions to read, write, list and delete objects are required.';
    throw failure('storage-failed', where, `the bucket is not accessible (${reasonOf(cause)})`, advice);
  });
}

/** Prefers the error's name or code: AWS messages contain account and user names. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return messageOf(cause);
  if ('code' in cause) return String(cause.code);
  return cause.name === 'Error' ? firstLineOf(cause) : cause.name;
}
