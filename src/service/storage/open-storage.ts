import { ProofsheetError } from '../../model/errors.js';
import { createFolderStorage, type Storage } from './storage.js';

/**
 * Opens a storage.
 *
 * @param place a folder, or `s3://bucket/prefix`.
 * @throws ProofsheetError `command-invalid`, `storage-failed`
 */
export async function openStorage(place: string): Promise<Storage> {
  if (!place.startsWith('s3://')) return createFolderStorage(place);
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/+(.*?))?\/*$/i.exec(place) ?? [];
  if (bucket === undefined) throw invalidBucket(place);
  const { openBucketStorage } = await import('./bucket-storage.js');
  return openBucketStorage({ bucket, prefix: prefix === '' ? '' : `${prefix}/` });
}

function invalidBucket(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where,
    found: 'the bucket name is missing',
    advice: 'Use s3://bucket or s3://bucket/prefix.',
  });
}
