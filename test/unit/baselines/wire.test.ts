import { describe, expect, test } from 'vitest';
import {
  DECLARED_ANNOTATION,
  type DeclaredShot,
  decodeDeclared,
  decodeMessage,
  encodeDeclared,
  encodeMessage,
  MESSAGE_ATTACHMENT,
  type ShotMessage,
} from '../../../src/model/attachments.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import { changedOf, HOSTILE, shotOf } from '../report/specimens.js';

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
  ...{ id: 'pricing/phone', page: 'pricing', viewport: 'phone', state: null, url: 'http://127.0.0.1:4173/pricing' },
  ...{ list: 'pages.yaml', listHash: 'a'.repeat(64), listShots: 3, line: 7 },
};

/** Gives the error that reading ends in. */
function refusalOf(read: () => unknown): ProofsheetError {
  try {
    read();
  } catch (error) {
    if (error instanceof ProofsheetError) return error;
    throw error;
  }
  throw new Error('it was read');
}

test('a message comes out as it went in', () => {
  expect(decodeMessage(encodeMessage(message))).toEqual(message);
  const matcher = { list: null, listHash: null, shard: null, listIds: null, commit: null, run: null };
  const bare: ShotMessage = {
    shot: shotOf({ id: HOSTILE, page: HOSTILE }),
    images: [],
    fingerprint: null,
    origin: matcher,
  };
  expect(decodeMessage(encodeMessage(bare))).toEqual(bare);
});

test('a declared shot comes out as it went in', () => {
  expect(decodeDeclared(encodeDeclared(declared))).toEqual(declared);
  expect(decodeDeclared(encodeDeclared({ ...declared, id: HOSTILE }))).toEqual({ ...declared, id: HOSTILE });
});

test('both are hidden by the names they have', () => {
  expect([MESSAGE_ATTACHMENT, DECLARED_ANNOTATION]).toEqual(['_proofsheet', '_proofsheet']);
});

describe('what another version wrote', () => {
  const newer = { ...message, shot: { ...message.shot, hue: 1 } };
  const { commit: _, ...older } = message.origin;
  test.each([
    ['has a field more', JSON.stringify(newer)],
    ['has a field less', JSON.stringify({ ...message, origin: older })],
    ['has another status', JSON.stringify({ ...message, shot: { ...message.shot, status: 'fine' } })],
    ['is JSON of something else', '{"stats":{}}'],
    ['is null', 'null'],
    ['is no JSON', '<html>'],
    ['is cut off', encodeMessage(message).slice(0, -1)],
    ['is empty', ''],
  ])('and %s is told to be of another version', (_name, body) => {
    const { code, problem, message: text } = refusalOf(() => decodeMessage(body));
    expect(code).toBe('record-invalid');
    expect(problem.where).toBe('the attachment of a shot');
    expect(problem.found).toMatch(/^this version of proofsheet cannot read it \(.+\)$/s);
    expect(text).toMatch(/^the attachment of a shot: .*\. Run and merge with the same version of proofsheet\.$/s);
    expect(text.length).toBeLessThan(400);
  });

  test('is told in one line', () => {
    expect(refusalOf(() => decodeMessage(JSON.stringify(newer))).message).not.toContain('\n');
  });

  test('as an annotation is told to be one', () => {
    const { code, message: text } = refusalOf(() => decodeDeclared(encodeMessage(message)));
    expect(code).toBe('record-invalid');
    expect(text).toMatch(/^the annotation of a shot: this version of proofsheet cannot read it \(/);
  });
});
