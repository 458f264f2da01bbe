import { createRequire } from 'node:module';

/** Gives the version of this package. This file is as deep in dist/ as it is in src/. */
export function packageVersion(): string {
  return createRequire(import.meta.url)('../../package.json').version;
}
