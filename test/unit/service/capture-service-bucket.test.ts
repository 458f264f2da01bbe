// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { screenshotV1ResponseSchema } from '../../../src/service/protocol/responses.js';
import { type S3Server, startS3 } from '../baselines/s3-server.js';
import { startService, startSite, type TestService, type TestSite } from './capture-service.js';

let bucket: S3Server;
let site: TestSite;
let services: readonly TestService[];

beforeAll(async () => {
  bucket = await startS3();
  for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value);
  site = await startSite((_, response) => response.end('<!doctype html><h1>A page</h1>'));
  const storage = `s3://${bucket.bucket}/shots`;
  services = await Promise.all([startService({ storage }), startService({ storage })]);
}, 60_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  site.close();
  await bucket.close();
  vi.unstubAllEnvs();
});

test('a service serves captures that another service stored in the same bucket', { timeout: 60_000 }, async () => {
  const [one, other] = services;
  const answer = await one?.post('/api/v1/screenshot', { url: site.url });
  const { link } = screenshotV1ResponseSchema.parse(await answer?.json());
  const { pathname } = new URL(link ?? '');
  const files = await Promise.all([one, other].map((service) => fetch(`${service?.url}${pathname}`)));
  expect(files.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'image/png'],
    [200, 'image/png'],
  ]);
  const [first, second] = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
  expect(first?.length).toBeGreaterThan(100);
  expect(first).toEqual(second);
  expect((await fetch(`${other?.url}${pathname.replace(/\d+\.png$/, '1.png')}`)).status).toBe(404);
});

test('a link of the service is read from the bucket, not from its address', { timeout: 60_000 }, async () => {
  const { host } = new URL(site.url);
  const service = await startService({ storage: `s3://${bucket.bucket}/own`, allowPrivate: false, allowed: [host] });
  const { link } = await (await service.post('/api/v1/screenshot', { url: site.url })).json();
  const sides = { before: { imageUrl: link }, after: { imageUrl: link } };
  const answer = await (await service.post('/api/v3/compare', sides)).json();
  await service.close();
  expect(answer).toMatchObject({ status: 'success', summary: { mismatchPixels: 0 } });
});

test('a service whose bucket is not there does not start', async () => {
  await expect(startService({ storage: 's3://another-bucket' })).rejects.toMatchObject({ code: 'storage-failed' });
});
