import S3rver from 's3rver';
import { makeTempFolder } from '../temp-folder.js';

export type S3Server = Awaited<ReturnType<typeof startS3>>;

export async function startS3() {
  const directory = makeTempFolder();
  const bucket = 'captures';
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    bucket,
    /** What its users have set in their environment, with the key that it knows. */
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
    },
  };
}
