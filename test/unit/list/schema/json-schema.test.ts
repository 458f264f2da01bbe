// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderPagesSchema } from '../../../../src/list/schema/json-schema.js';

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(renderPagesSchema()));
const fixture = (name: string) =>
  parse(readFileSync(join(import.meta.dirname, '../../../../fixtures/lists', name), 'utf8'));

describe('the JSON schema of a page list', () => {
  test('accepts every field that this version has', () => {
    expect(validate(fixture('full.yaml'))).toBe(true);
    const { properties } = JSON.parse(renderPagesSchema());
    const used = JSON.stringify(fixture('full.yaml'));
    const unused = Object.keys(properties.defaults.properties).filter((name) => !used.includes(`"${name}":`));
    expect(unused).toEqual([]);
  });

  test('accepts any value in keys that begin with x-, at the top only', () => {
    expect(validate({ 'x-a': { any: [1] }, 'x-b': null, pages: ['/'] })).toBe(true);
    expect(validate({ 'x-a': 1 })).toBe(false);
    expect(validate({ pages: [{ url: '/', 'x-a': 1 }] })).toBe(false);
  });

  test.each([
    '{ pages: [/], baseURL: "${SITE}" }',
    '{ pages: [/], baseURL: "${SITE:-http://127.0.0.1:4173}", before: "https://${HOST}/x" }',
    '{ pages: ["${A}", { url: "${B}/x", name: "${C}", tags: ["${D}"] }] }',
    '{ pages: [{ url: /, clock: "${NOW}", userAgent: "${UA}", cookies: [{ name: "${A}", value: "${B}", path: "${C}" }] }] }',
    '{ pages: [{ url: /, headers: { A: "Bearer ${T}" }, httpCredentials: { username: "${U}", password: "${P}" } }] }',
    '{ pages: [/], before: { url: "https://${HOST}", cookies: { session: "${S}" } } }',
  ])('accepts variables where strings are allowed: %s', (list) => {
    expect(validate(parse(list))).toBe(true);
  });

  test.each([
    ...['{}', '{ pages: [{}] }', '{ pages: [/], baseURL: "localhost:3000" }', '{ pages: [/], defaults: { url: / } }'],
    ...['width: 99', 'width: "${W}"', 'clock: noon', 'actions: [{ click: "#a", hover: "#b" }]', 'actions: [{}]'].map(
      (field) => `{ pages: [{ url: /, ${field} }] }`,
    ),
  ])('refuses what the reader refuses: %s', (list) => {
    expect(validate(parse(list))).toBe(false);
  });
});
