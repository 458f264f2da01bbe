import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Service } from '../service.js';

const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Collects metrics of a service in the Prometheus text format. */
export function createMetrics(service: Service) {
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
  const addGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read());
      },
    });
  addGauge('proofsheet_running', 'Number of requests in progress.', service.running);
  addGauge('proofsheet_waiting', 'Number of requests in the queue.', service.waiting);
  new Counter({
    ...{ name: 'proofsheet_browser_launches_total', help: 'Number of browser launches.', registers },
    collect() {
      this.reset();
      this.inc(service.launches());
    },
  });
  addGauge('process_resident_memory_bytes', 'Memory of the process, without the browser.', process.memoryUsage.rss);
  return {
    /** Records a response. @param route - a route pattern of the service, never a path from a request */
    note(route: string, status: number, duration: number): void {
      requests.inc({ route, status });
      seconds.observe({ route }, duration);
    },
    render: () => registry.metrics(),
  };
}
