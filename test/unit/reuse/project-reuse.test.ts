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
  const mocked = { ...SHOT, capture: { ...SHOT.capture, rules } };
  const settingsWith = (content: string) => {
    writeFileSync(file, content);
    return toReusableShot(mocked, SERVER, PROJECT, RUN).parts.settings;
  };
  const one = settingsWith('1');
  expect(settingsWith('1')).toBe(one);
  expect(settingsWith('2')).not.toBe(one);
});

test('the settings and the environment are parts of the key', () => {
  const partsOf = (shot: Shot, changes: Partial<ProjectOptions> = {}, run = RUN) =>
    toReusableShot(shot, SERVER, { ...PROJECT, ...changes }, run).parts;
  const { settings, environment } = partsOf(SHOT);
  expect(partsOf({ ...SHOT, capture: { ...SHOT.capture, fullSize: true } }).settings).not.toBe(settings);
  expect(partsOf({ ...SHOT, compare: { ...SHOT.compare, threshold: 0.1 } }).settings).not.toBe(settings);
  expect(partsOf({ ...SHOT, after: { ...SHOT.after, url: 'http://127.0.0.1:1/b' } }).settings).not.toBe(settings);
  expect(partsOf(SHOT, withValues({ isMobile: true })).settings).not.toBe(settings);
  expect(
    partsOf({ ...SHOT, capture: { ...SHOT.capture, rules: { block: ['**'], mocks: [], har: null } } }).settings,
  ).not.toBe(settings);
  expect(partsOf(SHOT, withValues({ launchOptions: { args: ['--x'] } })).environment).not.toBe(environment);
  expect(partsOf(SHOT, {}, { ...RUN, machine: 'other' }).environment).not.toBe(environment);
});

test('every option that the config sets is a part of the key, except the address of a server and the place of a browser', () => {
  const settingsOf = (use: ProjectOptions['use']) =>
    toReusableShot(SHOT, SERVER, { ...PROJECT, use }, RUN).parts.settings;
  const plain = settingsOf({});
  expect(settingsOf({ screen: { width: 400, height: 300 } })).not.toBe(plain);
  expect(settingsOf({ optionOfALaterVersion: true })).not.toBe(plain);
  expect(settingsOf({ baseURL: 'http://127.0.0.1:4001/' })).toBe(plain);
  expect(settingsOf({ launchOptions: { executablePath: '/elsewhere' } })).toBe(plain);
});

test('the port of the server is no part of the key', () => {
  const at = (port: number): Shot => {
    const origin = `http://127.0.0.1:${port}`;
    return { ...SHOT, after: { ...SHOT.after, url: `${origin}/a?b`, finalUrl: `${origin}/c` } };
  };
  const [one, two] = [at(4001), at(4002)].map((shot) => toReusableShot(shot, SERVER, PROJECT, RUN).parts.settings);
  expect(one).toBe(two);
});

test('PROOFSHEET_REUSE turns reuse on and off', () => {
  const listed = { verify: 0.05 };
  expect(resolveReuse(listed, undefined)).toBe(listed);
  expect(resolveReuse(listed, '')).toBe(listed);
  expect(resolveReuse(listed, '1')).toBe(listed);
  expect(resolveReuse(null, '1')).toEqual({ verify: 0 });
  expect(resolveReuse(listed, '0')).toBeNull();
  expect(resolveReuse(null, undefined)).toBeNull();
  expect(() => resolveReuse(null, 'yes')).toThrow('PROOFSHEET_REUSE is "yes"; expected 1 (reuse) or 0');
});
