import { analyzeResponseSchema } from './analyze-response.js';
import { compareResponseSchema } from './compare-response.js';
import { analyzeV3Schema, compareV3Schema, screenshotV1Schema, screenshotV2Schema } from './service-request.js';
import { screenshotV1ResponseSchema, screenshotV2ResponseSchema } from './service-response.js';

/** What the capture service can be asked for by POST: where, with what, and what it answers. */
export const SERVICE_CALLS = {
  screenshotV1: {
    path: '/api/v1/screenshot',
    summary: 'Capture a page into a file',
    request: screenshotV1Schema,
    response: screenshotV1ResponseSchema,
  },
  screenshotV2: {
    path: '/api/v2/screenshot',
    summary: 'Capture a page into a file, or into the answer',
    request: screenshotV2Schema,
    response: screenshotV2ResponseSchema,
  },
  compareV3: {
    path: '/api/v3/compare',
    summary: 'Compare two pages, two images, or one of each',
    request: compareV3Schema,
    response: compareResponseSchema,
  },
  analyzeV3: {
    path: '/api/v3/analyze',
    summary: 'Capture a page, and tell what is found on it',
    request: analyzeV3Schema,
    response: analyzeResponseSchema,
  },
} as const;

/** Where the service tells of itself. */
export const SERVICE_PLACES = {
  captures: '/screenshots/:host/:uuid/:file',
  health: '/healthz',
  metrics: '/metrics',
  openapi: '/openapi.json',
  mcp: '/mcp',
  page: '/',
} as const;
