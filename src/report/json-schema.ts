import { z } from 'zod';
import { runRecordSchema } from '../model/record.js';

/** Renders the JSON schema of `results.json`, as it is published: draft 2020-12, made from the zod schema. */
export function renderResultsSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(runRecordSchema, { target: 'draft-2020-12' });
  const head = { $schema, $id: 'urn:proofsheet:results.schema.json', title: 'proofsheet: results.json' };
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}
