import { describe, expect, test } from 'vitest';
import { type DeclaredShot, decodeDeclared, decodeMessage, type ShotMessage } from '../../../src/model/run-record.js';
import { HOSTILE_TEXT } from '../../hostile-texts.js';
import { changedOf, shotOf } from '../report/specimens.js';

const message: ShotMessage = {
  shot: changedOf(),
  images: [{ link: 'screenshots/127.0.0.1/u/1.png', attachment: 'pricing-actual.png' }],
  fingerprint: 'c'.repeat(64),
  origin: {
    ...{ list: 'pages.yaml', listHash: 'a'.repeat(64), shard: { current: 2, total: 3 } },
    ...{ listIds: ['home', 'pricing'], commit: 'b'.repeat(40), run: 'GITHUB_RUN_ID=1' },
  },
};
const declared: DeclaredShot = {
  ...{ id: 'pricing/phone', page: 'pricing', viewport: 'phone', mode: null, state: null, url: 'http://127.0.0.1/' },
  ...{ list: 'pages.yaml', listHash: 'a'.repeat(64), listShots: 3, line: 7, each: false },
};

test('a decoded message equals the encoded one', () => {
  expect(decodeMessage(JSON.stringify(message))).toEqual(message);
  const hostile = { ...message, shot: shotOf({ id: HOSTILE_TEXT, page: HOSTILE_TEXT }) };
  expect(decodeMessage(JSON.stringify(hostile))).toEqual(hostile);
  expect(decodeDeclared(JSON.stringify(declared))).toEqual(declared);
});

describe('data of another version', () => {
  const newer = { ...message, shot: { ...message.shot, hue: 1 } };
  const { commit: _, ...older } = message.origin;
  test.each([
    ['has an additional field', JSON.stringify(newer), 'shot is missing or has an unexpected value'],
    [
      'lacks a field',
      JSON.stringify({ ...message, origin: older }),
      'origin.commit is missing or has an unexpected value',
    ],
    ['is not JSON', '<html>', 'it has an unexpected form'],
  ])('that %s is reported as such, without texts of the schema library', (_name, body, reason) => {
    const found = expect.stringContaining(`this version of proofsheet cannot read the data (${reason}`);
    const problem = {
      where: 'attachment of a shot',
      found,
      advice: 'Run and merge with the same version of proofsheet.',
    };
    expect(() => decodeMessage(body)).toThrow(
      expect.objectContaining({ code: 'record-invalid', problem: expect.objectContaining(problem) }),
    );
  });
});
