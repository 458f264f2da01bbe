import type { S3Client } from '@aws-sdk/client-s3';
import { IMAGES_FOLDER, isLink, messageOf, ProofsheetError } from '../../model/index.js';
import { contentTypeOf, type Storage } from './storage.js';

/** A bucket and the prefix of all keys: empty, or ending with a slash. */
export interface BucketPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** Maximum number of delete requests in parallel. */
const PARALLEL_DELETES = 16;

/**
 * Creates a storage in an S3-compatible bucket. Region, endpoint and credentials come from the `AWS_…` environment variables.
 *
 * @throws ProofsheetError `command-invalid` if the S3 client is not installed; `storage-failed` if the bucket does not exist.
 */
export async function openBucketStorage({ bucket, prefix }: BucketPlace): Promise<Storage> {
  const s3 = await loadClient();
  const client = new s3.S3Client(settingsOf(process.env));
  await attempt(client.send(new s3.HeadBucketCommand({ Bucket: bucket })), `s3://${bucket}`);
  return {
    async put(link, bytes, contentType) {
      if (!isLink(link)) throw failed(link, 'this is not the link of a capture');
      const file = { Bucket: bucket, Key: prefix + link, Body: bytes, ContentType: contentType };
      await attempt(client.send(new s3.PutObjectCommand(file)));
    },
    async get(link) {
      const contentType = contentTypeOf(link);
      if (!isLink(link) || contentType === null) return null;
      const file = await attempt(
        client.send(new s3.GetObjectCommand({ Bucket: bucket, Key: prefix + link })).catch((cause) => {
          if (isMissing(cause)) return null;
          throw cause;
        }),
      );
      const bytes = await attempt(Promise.resolve(file?.Body?.transformToByteArray()));
      return bytes ? { bytes: Buffer.from(bytes), contentType } : null;
    },
    async prune(before) {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${IMAGES_FOLDER}/` });
      for await (const { Contents = [] } of pages) {
        const old = Contents.filter(
          ({ LastModified }) => LastModified !== undefined && LastModified.getTime() < before,
        );
        // Delete objects individually: servers differ in their support of bulk deletes.
        while (old.length > 0) {
          const batch = old.splice(0, PARALLEL_DELETES);
          const commands = batch.map(({ Key }) => new s3.DeleteObjectCommand({ Bucket: bucket, Key }));
          await attempt(Promise.all(commands.map((command) => client.send(command))));
        }
      }
    },
  };
}

/** Imports the S3 client on demand, because it is an optional dependency. */
async function loadClient(): Promise<typeof import('@aws-sdk/client-s3')> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: '--storage',
      found: 'the S3 client is not installed',
      advice: 'Run: npm install @aws-sdk/client-s3',
    });
  }
}

/** Converts errors. Only the startup check names the bucket: callers of the service must not learn it. */
function attempt<T>(work: Promise<T>, where = 'the storage'): Promise<T> {
  return work.catch((cause) => {
    throw failed(where, cause);
  });
}

/** Returns the client settings that the SDK does not derive from the environment. */
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

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'NoSuchKey' || cause.name === 'NotFound');
}

function failed(where: string, cause: unknown): ProofsheetError {
  return new ProofsheetError({
    code: 'storage-failed',
    where,
    found: `the bucket is not accessible (${reasonOf(cause)})`,
    advice:
      'Check AWS_REGION, AWS_ENDPOINT_URL and the credentials. Permissions to read, write, list and delete objects are required.',
  });
}

/** Prefers the error's name or code: AWS messages contain account and user names. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return messageOf(cause);
  if ('code' in cause) return String(cause.code);
  return cause.name === 'Error' ? (cause.message.split('\n')[0] ?? '') : cause.name;
}
