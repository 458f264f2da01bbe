import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceState } from '../service.js';

/** Collects metrics in the Prometheus text format. */
export interface Metrics {
  /** Records a response. @param route - a route pattern of the service, never a path from a request */
  note(route: string, status: number, seconds: number): void;
  render(state: ServiceState): Promise<string>;
}

/** Upper bounds of the histogram, in seconds. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Creates empty metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'proofsheet_requests_total',
    help: 'Number of completed requests.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'proofsheet_request_seconds',
    help: 'Duration of requests.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const running = gauge('proofsheet_running', 'Number of requests in progress.');
  const waiting = gauge('proofsheet_waiting', 'Number of requests in the queue.');
  const launches = new Counter({
    name: 'proofsheet_browser_launches_total',
    help: 'Number of browser launches.',
    registers,
  });
  const memory = gauge('process_resident_memory_bytes', 'Memory of the process, without the browser.');
  return {
    note(route, status, duration) {
      requests.inc({ route, status });
      seconds.observe({ route }, duration);
    },
    async render(state) {
      running.set(state.running);
      waiting.set(state.waiting);
      launches.reset();
      launches.inc(state.browserLaunches);
      memory.set(process.memoryUsage.rss());
      return registry.metrics();
    },
  };
}
