import { declareAlarm, SPECIMENS, test } from '../integration/capture/settle.js';

test.use({ captures: 30 });

// `stabilizers.spec.ts` has the first kind of each.
for (const [name, { alarms, mended }] of Object.entries(SPECIMENS))
  for (const [kind, path] of Object.entries(alarms).slice(1)) declareAlarm(name, kind, path, mended);
