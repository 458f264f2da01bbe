import { setUp } from './set-up.mjs';

await setUp();
// `npm run bench -- accuracy` runs another, and `npm run bench -- --browser firefox` passes an option. Imported only now: it needs what the
// set-up makes.
const [first = '-'] = process.argv.slice(2);
await import(`../test/bench/${first.startsWith('-') ? 'bench' : first}.mjs`);
