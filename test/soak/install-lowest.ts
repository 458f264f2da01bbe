import { installBeside } from '../e2e/install-package.js';
import { LOWEST_PLAYWRIGHT } from '../e2e/project.js';

/** Installs the tool, which `install-package.ts` has packed, beside the lowest version of Playwright. */
export default async function installLowest(): Promise<void> {
  await installBeside('lowest', LOWEST_PLAYWRIGHT);
}
