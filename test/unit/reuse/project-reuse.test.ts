import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Shot } from '../../../src/model/shot.js';
import { type ProjectOptions, resolveReuse, toReusableShot } from '../../../src/reuse/project-reuse.js';
import { shotOf, targetOf } from '../shot/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { SERVER } from './specimens.js';

const PROJECT: ProjectOptions = {
  ...{ project: 'chromium', use: {}, isRemote: false },
  values: { browserName: 'chromium', headless: true, launchOptions: {}, extraHTTPHeaders: {}, clientCertificates: [] },
};
const withValues = (changes: ProjectOptions['values']) => ({ values: { ...PROJECT.values, ...changes } });

const RUN = { version: '1', machine: 'machine', isUpdating: false };

const SHOT = shotOf({}, { after: targetOf('http://127.0.0.1:1/a') });

const withCredentials = (changes: Partial<Shot['after']['credentials']>): Shot => {
  return { ...SHOT, after: { ...SHOT.after, credentials: { ...SHOT.after.credentials, ...changes } } };
};

function obstacleOf(shot: Shot, changes: Partial<ProjectOptions> = {}): string | null {
  const { source } = toReusableShot(shot, SERVER, { ...PROJECT, ...changes }, RUN);
  return typeof source === 'string' ? source : null;
}

describe('a shot can be reused', () => {
  test('in a local Chromium, without credentials', () => {
    expect(obstacleOf(SHOT)).toBeNull();
  });

  test.each<[what: string, shot: Shot, reason: RegExp]>([
    ['headers', withCredentials({ headers: { 'x-key': '1' } }), /has credentials/],
    ['a storage state', withCredentials({ storageState: '/state.json' }), /has credentials/],
    ['credentials in its URL', { ...SHOT, after: { ...SHOT.after, url: 'http://me:pw@a/' } }, /has credentials/],
    [
      'a HAR file',
      { ...SHOT, capture: { ...SHOT.capture, rules: { block: [], mocks: [], har: '/site.har' } } },
      /HAR file/,
    ],
    ['another live page', { ...SHOT, before: SHOT.after }, /two live pages/],
  ])('not with %s', (_, shot, reason) => {
    expect(obstacleOf(shot)).toMatch(reason);
  });

  test.each<[what: string, changes: Partial<ProjectOptions>, reason: RegExp]>([
    ['credentials', withValues({ httpCredentials: { username: 'me', password: 'pw' } }), /its project has credentials/],
    ['headers', withValues({ contextOptions: { extraHTTPHeaders: { 'x-key': '1' } } }), /its project has credentials/],
    ['a proxy', withValues({ proxy: { server: 'http://proxy' } }), /uses a proxy/],
    ['a proxy flag', withValues({ launchOptions: { args: ['--proxy-server=a'] } }), /uses a proxy/],
    ['a remote browser', { isRemote: true }, /remote browser/],
    ['another browser', withValues({ browserName: 'firefox' }), /not known in firefox/],
  ])('not in a project with %s', (_, changes, reason) => {
    expect(obstacleOf(SHOT, changes)).toMatch(reason);
  });

  test('not if the run does not serve its files', () => {
    expect(toReusableShot(SHOT, null, PROJECT, RUN).source).toMatch(/does not serve its files: see `serve`/);
  });

  test('not with a browser that is not known', () => {
    expect(toReusableShot(SHOT, SERVER, PROJECT, { ...RUN, machine: null }).source).toMatch(/cannot be identified/);
  });
});

test('the content of a mocked file is a part of the key', () => {
  const file = join(makeTempFolder(), 'a.json');
  const rules = { block: [], mocks: [{ pattern: '**', status: 200, headers: {}, body: null, file }], har: null };
  const settingsWith = (content: string) => {
    writeFileSync(file, content);
    return partsOf(withCapture({ rules })).settings;
  };
  const [one, again, other] = ['1', '1', '2'].map(settingsWith);
  expect([again === one, other === one]).toEqual([true, false]);
});

const partsOf = (shot: Shot, changes: Partial<ProjectOptions> = {}, run = RUN) =>
  toReusableShot(shot, SERVER, { ...PROJECT, ...changes }, run).parts;
const withCapture = (changes: Partial<Shot['capture']>): Shot => ({
  ...SHOT,
  capture: { ...SHOT.capture, ...changes },
});

test.each<[part: 'settings' | 'environment', what: string, parts: ReturnType<typeof partsOf>]>([
  ['settings', 'a field of the image', partsOf(withCapture({ fullSize: true }))],
  ['settings', 'a blocked request', partsOf(withCapture({ rules: { block: ['**'], mocks: [], har: null } }))],
  ['settings', 'a limit', partsOf({ ...SHOT, compare: { ...SHOT.compare, threshold: 0.1 } })],
  ['settings', 'the URL', partsOf({ ...SHOT, after: { ...SHOT.after, url: 'http://127.0.0.1:1/b' } })],
  ['settings', 'an option of the project', partsOf(SHOT, withValues({ isMobile: true }))],
  ['settings', 'an option of the config', partsOf(SHOT, { use: { screen: { width: 400, height: 300 } } })],
  ['settings', 'an option of a later version', partsOf(SHOT, { use: { optionOfALaterVersion: true } })],
  ['environment', 'a flag of the browser', partsOf(SHOT, withValues({ launchOptions: { args: ['--x'] } }))],
  ['environment', 'the machine', partsOf(SHOT, {}, { ...RUN, machine: 'other' })],
])('the %s of the key depend on %s', (part, _, parts) => {
  expect(parts[part]).not.toBe(partsOf(SHOT)[part]);
});

test.each([{ baseURL: 'http://127.0.0.1:4001/' }, { launchOptions: { executablePath: '/elsewhere' } }])(
  'the address of a server and the place of a browser are no part of the key: %j',
  (use) => {
    expect(partsOf(SHOT, { use })).toEqual(partsOf(SHOT));
  },
);

test('the port of the server is no part of the key', () => {
  const at = (port: number): Shot => {
    const origin = `http://127.0.0.1:${port}`;
    return { ...SHOT, after: { ...SHOT.after, url: `${origin}/a?b`, finalUrl: `${origin}/c` } };
  };
  const [one, two] = [at(4001), at(4002)].map((shot) => toReusableShot(shot, SERVER, PROJECT, RUN).parts.settings);
  expect(one).toBe(two);
});

const LISTED = { verify: 0.05 };

test.each([
  [LISTED, undefined, LISTED],
  [LISTED, '', LISTED],
  [LISTED, '1', LISTED],
  [null, '1', { verify: 0 }],
  [LISTED, '0', null],
  [null, undefined, null],
])('a list with reuse %j and PROOFSHEET_REUSE=%s: %j', (listed, variable, reuse) => {
  expect(resolveReuse(listed, variable)).toEqual(reuse);
  expect(() => resolveReuse(null, 'yes')).toThrow('PROOFSHEET_REUSE is "yes"; expected 1 (reuse) or 0');
});
