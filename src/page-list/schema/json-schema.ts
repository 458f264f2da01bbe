import { z } from 'zod';
import { pageListSchema } from '../../model/list/page-list.js';

/**
 * Renders the JSON schema of a page list, for editors: `pages.schema.json`. Uses draft 7, which yaml-language-server
 * supports best.
 *
 * Editors validate a list before `${ENV}` is filled in. Therefore every pattern also allows a variable.
 */
export function renderPagesSchema(): string {
  const schema = z.toJSONSchema(pageListSchema, {
    io: 'input',
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'uri') {
        delete jsonSchema.format;
        jsonSchema.pattern = '^https?://';
      }
      if (jsonSchema.pattern) jsonSchema.pattern += '|\\$\\{';
    },
  });
  const { $schema, ...rest } = schema;
  const head = {
    $schema,
    $id: 'urn:proofsheet:pages.schema.json',
    title: 'proofsheet page list',
    description: 'A list of pages that are captured and compared, one Playwright test each.',
  };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}
