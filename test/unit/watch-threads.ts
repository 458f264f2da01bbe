import type { Worker } from 'node:worker_threads';

export type Threads = ReturnType<typeof watchThreads>;

/** Takes note of each thread that is started from now on. Node tells of one a moment later. */
export function watchThreads() {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  const end = async () => {
    await new Promise(setImmediate);
    await Promise.all(started.splice(0).map((worker) => worker.terminate()));
  };
  return {
    count: () => started.length,
    end,
    /** Ends them all, and takes note of no more. */
    async stop() {
      process.off('worker', note);
      await end();
    },
  };
}
