import type { MatcherOptionsInput } from '../../model/list/page-list.js';
import type { Shot } from '../../model/shot.js';
import { NO_CREDENTIALS } from '../../page-list/resolve/resolve-credentials.js';
import { resolveSettings } from '../../page-list/resolve/resolve-shot.js';
import { checkOptions } from '../../page-list/validate/check-options.js';

/** A page that a test has opened in a context that it configured. */
export interface OpenedPage {
  /** Name of the spec, without extension. The id of the shot starts with it. */
  readonly spec: string;
  readonly name: string;
  readonly url: string;
}

/**
 * Creates the shot of `toMatchBaseline`, with the id `<spec>/<name>`.
 *
 * @throws ProofsheetError `options-invalid` with the first problem of the options
 */
export function createOpenedShot({ spec, name, url }: OpenedPage, options: MatcherOptionsInput): Shot {
  checkOptions(options, `toMatchBaseline('${name}')`);
  return {
    ...{ id: `${spec}/${name}`, page: name, viewport: null, state: null },
    ...resolveSettings(options),
    after: { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
    before: null,
    emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
  };
}
