import { describe, expect, test } from 'vitest';
import {
  type ProjectOptions,
  reachableHosts,
  resolveReuse,
  toReusableShot,
} from '../../../../src/core/reuse/project-reuse.js';
import { createOpenedShot } from '../../../../src/core/shot/plan-shots.js';
import type { Shot } from '../../../../src/model/shot.js';

const PROJECT: ProjectOptions = {
  ...{ project: 'chromium', contextOptions: {}, credentials: [undefined, {}, []], locale: 'en-US', offline: false },
  ...{ proxies: [undefined], browserName: 'chromium', isRemote: false, launchOptions: { args: [] } },
};

const RUN = { version: '1', machine: 'machine', isUpdating: false };

const { shot: SHOT } = createOpenedShot({ spec: 'own', name: 'a', url: 'http://a/' }, {});

const withCredentials = (changes: Partial<Shot['after']['credentials']>): Shot => {
  return { ...SHOT, after: { ...SHOT.after, credentials: { ...SHOT.after.credentials, ...changes } } };
};

function obstacleOf(shot: Shot, changes: Partial<ProjectOptions> = {}): string | null {
  return toReusableShot(shot, { ...PROJECT, ...changes }, RUN).obstacle;
}

describe('a shot can be reused', () => {
  test('in a local Chromium, without credentials', () => {
    expect(obstacleOf(SHOT)).toBeNull();
  });

  test.each<[what: string, shot: Shot, reason: RegExp]>([
    ['headers', withCredentials({ headers: { 'x-key': '1' } }), /has credentials/],
    ['a storage state', withCredentials({ storageState: '/state.json' }), /has credentials/],
    ['credentials in its URL', { ...SHOT, after: { ...SHOT.after, url: 'http://me:pw@a/' } }, /has credentials/],
    ['another live page', { ...SHOT, before: SHOT.after }, /two live pages/],
  ])('not with %s', (_, shot, reason) => {
    expect(obstacleOf(shot)).toMatch(reason);
  });

  test.each<[what: string, changes: Partial<ProjectOptions>, reason: RegExp]>([
    ['credentials', { credentials: [{ username: 'me' }] }, /its project has credentials/],
    ['a proxy', { proxies: [{ server: 'http://proxy' }] }, /uses a proxy/],
    ['a proxy flag', { launchOptions: { args: ['--proxy-server=a'] } }, /uses a proxy/],
    ['host rules', { launchOptions: { args: ['--host-resolver-rules=MAP a b'] } }, /host names by rules/],
    ['a remote browser', { isRemote: true }, /remote browser/],
    ['another browser', { browserName: 'firefox' }, /not known in firefox/],
    ['no network', { offline: true }, /offline/],
  ])('not in a project with %s', (_, changes, reason) => {
    expect(obstacleOf(SHOT, changes)).toMatch(reason);
  });

  test('not with a browser that is not known', () => {
    expect(toReusableShot(SHOT, PROJECT, { ...RUN, machine: null }).obstacle).toMatch(/cannot be identified/);
  });
});

test('the settings and the environment are parts of the key', () => {
  const partsOf = (shot: Shot, changes: Partial<ProjectOptions> = {}, run = RUN) =>
    toReusableShot(shot, { ...PROJECT, ...changes }, run).parts;
  const { settings, environment } = partsOf(SHOT);
  expect(partsOf({ ...SHOT, capture: { ...SHOT.capture, fullSize: true } }).settings).not.toBe(settings);
  expect(partsOf({ ...SHOT, compare: { ...SHOT.compare, threshold: 0.1 } }).settings).not.toBe(settings);
  expect(partsOf({ ...SHOT, after: { ...SHOT.after, url: 'http://b/' } }).settings).not.toBe(settings);
  expect(partsOf(SHOT, { contextOptions: { isMobile: true } }).settings).not.toBe(settings);
  expect(partsOf(SHOT, { launchOptions: { args: ['--x'] } }).environment).not.toBe(environment);
  expect(partsOf(SHOT, {}, { ...RUN, machine: 'other' }).environment).not.toBe(environment);
});

test('a browser that is kept offline reaches only the excluded hosts', () => {
  expect(reachableHosts(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'])).toEqual([
    '127.0.0.1',
    'localhost',
  ]);
  expect(reachableHosts(['--headless'])).toBeNull();
  expect(
    obstacleOf(SHOT, { launchOptions: { args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE a'] } }),
  ).toBeNull();
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
