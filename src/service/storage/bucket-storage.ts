import type { S3Client } from '@aws-sdk/client-s3';
import { IMAGES_FOLDER, isLink } from '../../baselines/paths.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { contentTypeOf, type Storage } from './storage.js';

/** A bucket, and what the names of our files in it begin with: nothing, or what ends with a slash. */
export interface BucketPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** How many files are removed at a time. */
const REMOVED_AT_ONCE = 16;

/**
 * Creates a storage in a bucket that speaks S3. Region, endpoint and credentials are those of the environment (`AWS_…`), as
 * for any program of AWS.
 *
 * @throws ProofsheetError `command-invalid` where its client is not installed, `storage-failed` where there is no such bucket.
 */
export async function openBucketStorage({ bucket, prefix }: BucketPlace): Promise<Storage> {
  const s3 = await loadClient();
  const client = new s3.S3Client(settingsOf(process.env));
  await attempt(client.send(new s3.HeadBucketCommand({ Bucket: bucket })), `s3://${bucket}`);
  return {
    async put(link, bytes, contentType) {
      if (!isLink(link)) throw failed(link, 'it is no link of a capture');
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
        // One by one: what removes several at once is not the same with every server.
        while (old.length > 0) {
          const some = old.splice(0, REMOVED_AT_ONCE);
          const commands = some.map(({ Key }) => new s3.DeleteObjectCommand({ Bucket: bucket, Key }));
          await attempt(Promise.all(commands.map((command) => client.send(command))));
        }
      }
    },
  };
}

/** Only who keeps captures in a bucket has it, and waits for it. */
async function loadClient(): Promise<typeof import('@aws-sdk/client-s3')> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: '--storage',
      found: 'the client for buckets is not installed',
      advice: 'Run: npm install @aws-sdk/client-s3',
    });
  }
}

/** Which bucket it is, is told to who starts the service, not to who asks it. */
function attempt<T>(work: Promise<T>, where = 'the storage'): Promise<T> {
  return work.catch((cause) => {
    throw failed(where, cause);
  });
}

/** What the client does not find out by itself. */
function settingsOf(env: NodeJS.ProcessEnv): ConstructorParameters<typeof S3Client>[0] & object {
  const isElsewhere = Boolean(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  return {
    // Others than AWS know buckets by their path, any region, and no checksums that come after the file.
    ...(isElsewhere && { forcePathStyle: true, region: env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1' }),
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
    found: `the bucket cannot be used (${reasonOf(cause)})`,
    advice:
      'Look at AWS_REGION, AWS_ENDPOINT_URL and the credentials: to read, write, list and remove must be allowed.',
  });
}

/** Messages of AWS tell accounts and users: the name of an error is enough, where it has one. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return messageOf(cause);
  if ('code' in cause) return String(cause.code);
  return cause.name === 'Error' ? (cause.message.split('\n')[0] ?? '') : cause.name;
}
