import type { Request, Response } from '@playwright/test';
import type { SeenLoad, SeenRequest } from '../model/reuse.js';

/** Collects what reached a page during one load. {@link watchNetwork} reports each event to it. */
export interface LoadCollector {
  note(request: Request, found: Partial<Progress>): void;
  /** Another way in which data can reach the page, such as `a WebSocket`. */
  noteChannel(what: string): void;
  read(): Pick<SeenLoad, 'requests' | 'channels'>;
}

interface Progress extends Pick<SeenRequest, 'state' | 'failure'> {
  readonly response: Response | null;
}

/** Creates a collector for one load of a page. */
export function createLoadCollector(): LoadCollector {
  const requests = new Map<Request, Progress>();
  const channels = new Set<string>();
  return {
    note(request, found) {
      const before = requests.get(request) ?? { state: 'pending', failure: null, response: null };
      requests.set(request, { ...before, ...found });
    },
    noteChannel: (what) => void channels.add(what),
    read: () => ({
      requests: [...requests].map(([request, progress]) => toSeenRequest(request, progress)),
      channels: [...channels],
    }),
  };
}

function toSeenRequest(request: Request, { state, failure, response }: Progress): SeenRequest {
  return {
    method: request.method(),
    url: request.url(),
    kind: request.resourceType(),
    headers: request.headers(),
    received: response && { status: response.status(), headers: response.headers() },
    ...{ state, failure },
    isFromServiceWorker: response?.fromServiceWorker() ?? false,
  };
}
