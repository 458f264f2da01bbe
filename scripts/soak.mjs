import { setUp } from './set-up.mjs';
import { conclude, runPlaywright, runVitest } from './test-runs.mjs';

await setUp();
conclude([
  await runVitest(['--config', 'test/soak/vitest.config.ts', '--tagsFilter=soak'], { tag: 'soak' }),
  await runPlaywright(['-c', 'test/soak', '--pass-with-no-tests']),
]);
