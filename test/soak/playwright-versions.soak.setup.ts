import { installBeside } from '../../scripts/install-package.mjs';
import { test } from '../e2e/project.js';

test('installs the packed tool beside this version of Playwright', ({ playwrightVersion }) =>
  installBeside(playwrightVersion, playwrightVersion));
