import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { renderResultsSchema } from '../../../src/model/run-record.js';
import { changedOf, runOf, shotOf } from './specimens.js';

test('the published schema accepts a run, and says what is wrong with one that is not', () => {
  const text = renderResultsSchema();
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(text));
  const run = runOf([changedOf(), shotOf()]);
  expect(validate(run), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...run, extra: 1 })).toBe(false);
  expect(validate({ ...run, startedAt: 'yesterday' })).toBe(false);
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: expect.any(String),
  });
});
