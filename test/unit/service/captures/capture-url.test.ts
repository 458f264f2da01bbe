import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, ProofsheetError } from '../../../../src/model/errors.js';
import { pageFieldsSchema } from '../../../../src/model/page-fields.js';
import { withUrlAdvice } from '../../../../src/service/captures/capture-url.js';
import { screenshotV2Schema } from '../../../../src/service/protocol/requests.js';

const src = join(import.meta.dirname, '../../../../src/page');
/** Fields that only a page list has. */
const listOnly = [...Object.keys(pageFieldsSchema.shape), 'baseURL', 'before', '--workers'].filter(
  (field) => !Object.hasOwn(screenshotV2Schema.shape, field),
);
/** Steps that only a page list has can fail only there. */
const NOT_WITHOUT_LIST = ['page-action', 'page-story', 'page-wait', 'storage-state'];

const thrown = readdirSync(src, { recursive: true, encoding: 'utf8' })
  // `each`, whose elements it finds, is a field of a list.
  .filter((file) => file.endsWith('.ts') && !file.endsWith('find-matches.ts'))
  .flatMap((file) => readFileSync(join(src, file), 'utf8').split('new ProofsheetError(').slice(1))
  .map((text) => [/code: '([a-z-]+)'/.exec(text)?.[1], /advice(.*?)\n\s*\}\)/s.exec(text)?.[1]] as const);

test('all errors of a page are known to this test', () => {
  expect(thrown.length).toBeGreaterThan(15);
  expect(listOnly).toEqual(expect.arrayContaining(['httpStatus', 'finalUrl', 'timeout', 'waitFor']));
});

test.each(thrown.filter(([code]) => !NOT_WITHOUT_LIST.includes(code ?? '')))(
  'without a list, %s advises no field of a list',
  (code, advice) => {
    const error = new ProofsheetError({ code: code as ErrorCode, where: 'x', found: 'y', advice: advice ?? '' });
    const told = withUrlAdvice(error);
    const words = (told instanceof Error ? told.message : '').match(/[`-]+[\w-]+/g) ?? [];
    expect(words.map((word) => word.replace('`', '')).filter((word) => listOnly.includes(word))).toEqual([]);
  },
);
