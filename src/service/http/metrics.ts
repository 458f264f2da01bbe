import type { ServiceState } from '../service.js';

/** Collects metrics in the Prometheus text format. */
export interface Metrics {
  /** Records a response. @param route - a route pattern of the service, never a path from a request */
  note(route: string, status: number, seconds: number): void;
  render(state: ServiceState): string;
}

const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

interface Route {
  readonly statuses: Map<number, number>;
  /** Number of requests per bucket, not cumulative. */
  readonly buckets: number[];
  seconds: number;
}

/** Creates empty metrics. */
export function createMetrics(): Metrics {
  const routes = new Map<string, Route>();
  return {
    note(name, status, seconds) {
      const route = routes.get(name) ?? { statuses: new Map(), buckets: [...BUCKETS, 0].map(() => 0), seconds: 0 };
      routes.set(name, route);
      route.statuses.set(status, (route.statuses.get(status) ?? 0) + 1);
      const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
      const index = bucket < 0 ? BUCKETS.length : bucket;
      route.buckets[index] = (route.buckets[index] ?? 0) + 1;
      route.seconds += seconds;
    },
    render(state) {
      const lines = [
        ...family('proofsheet_requests_total', 'counter', 'Requests answered.', renderRequests(routes)),
        ...family('proofsheet_request_seconds', 'histogram', 'Time to an answer.', renderSeconds(routes)),
        ...gauge('proofsheet_running', 'Requests that are worked on.', state.running),
        ...gauge('proofsheet_waiting', 'Requests that wait for their turn.', state.waiting),
        ...family('proofsheet_browser_launches_total', 'counter', 'Browsers launched.', [
          `proofsheet_browser_launches_total ${state.browserLaunches}`,
        ]),
        ...gauge(
          'process_resident_memory_bytes',
          'Memory of the process, without its browser.',
          process.memoryUsage.rss(),
        ),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function gauge(name: string, help: string, value: number): string[] {
  return family(name, 'gauge', help, [`${name} ${value}`]);
}

function family(name: string, type: string, help: string, samples: readonly string[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

function renderRequests(routes: ReadonlyMap<string, Route>): string[] {
  return Array.from(routes).flatMap(([route, { statuses }]) =>
    Array.from(
      statuses,
      ([status, count]) => `proofsheet_requests_total{route="${route}",status="${status}"} ${count}`,
    ),
  );
}

function renderSeconds(routes: ReadonlyMap<string, Route>): string[] {
  return Array.from(routes).flatMap(([route, { buckets, seconds }]) => {
    let count = 0;
    const samples = buckets.map((inBucket, index) => {
      count += inBucket;
      return `proofsheet_request_seconds_bucket{route="${route}",le="${BUCKETS[index] ?? '+Inf'}"} ${count}`;
    });
    return [
      ...samples,
      `proofsheet_request_seconds_sum{route="${route}"} ${seconds}`,
      `proofsheet_request_seconds_count{route="${route}"} ${count}`,
    ];
  });
}
