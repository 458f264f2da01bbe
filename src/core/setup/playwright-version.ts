import { createRequire } from 'node:module';

/** The lowest version of Playwright that has all that proofsheet uses. `peerDependencies` has it, too. */
export const LOWEST_PLAYWRIGHT = '1.53';

/** The command that installs Playwright Test. */
export const INSTALL_PLAYWRIGHT = 'npm install --save-dev @playwright/test';

/** Checks whether a version is at least as new as another one, given as `major.minor`. */
export function isAtLeast(version: string, lowest: string): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  const [major = 0, minor = 0] = lowest.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

/**
 * Checks the version of Playwright that this package uses.
 *
 * @throws Error if it is too old; the error has no stack, because the code of this package does not help
 */
export function checkPlaywright(
  { version }: { readonly version: string } = createRequire(import.meta.url)('@playwright/test/package.json'),
): void {
  if (isAtLeast(version, LOWEST_PLAYWRIGHT)) return;
  const found = `proofsheet needs @playwright/test ${LOWEST_PLAYWRIGHT} or later; this project has ${version}.`;
  const error = new Error(`${found} Run: ${INSTALL_PLAYWRIGHT}@latest`);
  error.stack = `Error: ${error.message}`;
  throw error;
}
