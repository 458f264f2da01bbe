import { setUp } from './set-up.mjs';

await setUp();
// Imported only now: it needs what the set-up makes.
await import('../test/bench/bench.mjs');
