import { setUp } from './set-up.mjs';

await setUp();
// `npm run bench -- accuracy` runs another. Imported only now: it needs what the set-up makes.
const [name = 'bench'] = process.argv.slice(2);
await import(`../test/bench/${name}.mjs`);
