import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Shot } from '../../../src/model/shot.js';
import { type ProjectOptions, resolveReuse, toReusableShot } from '../../../src/reuse/project-reuse.js';
import { shotOf, targetOf } from '../shot/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { SERVER } from './specimens.js';

const PROJECT: ProjectOptions = {
  ...{ project: 'chromium', use: {}, isRemote: false, version: '1', machine: 'machine', isUpdating: false },
  values: { browserName: 'chromium', headless: true, launchOptions: {}, extraHTTPHeaders: {}, clientCertificates: [] },
};
const withValues = (changes: ProjectOptions['values']) => ({ values: { ...PROJECT.values, ...changes } });

const SHOT = shotOf({}, { after: targetOf('http://127.0.0.1:1/a') });

const withCredentials = (changes: Partial<Shot['after']['credentials']>): Shot => {
  return { ...SHOT, after: { ...SHOT.after, credentials: { ...SHOT.after.credentials, ...changes } } };
};

const withCapture = (changes: Partial<Shot['capture']>): Shot => ({
  ...SHOT,
  capture: { ...SHOT.capture, ...changes },
});

const at = (url: string): Shot => ({ ...SHOT, after: { ...SHOT.after, url } });

test.each<[what: string, reason: RegExp | null, shot: Shot, changes?: Partial<ProjectOptions>]>([
  ['in a local Chromium, without credentials', null, SHOT],
  ['not with headers', /^it has credentials/, withCredentials({ headers: { 'x-key': '1' } })],
  ['not with a storage state', /^it has credentials/, withCredentials({ storageState: '/state.json' })],
  ['not with credentials in its URL', /^it has credentials/, at('http://me:pw@a/')],
  ['not with a HAR file', /HAR file/, withCapture({ rules: { block: [], mocks: [], har: '/site.har' } })],
  ['not with another live page', /two live pages/, { ...SHOT, before: SHOT.after }],
  [
    'not in a project with credentials',
    /its project has credentials/,
    SHOT,
    withValues({ httpCredentials: { username: 'me', password: 'pw' } }),
  ],
  [
    'not in a project with headers',
    /its project has credentials/,
    SHOT,
    withValues({ contextOptions: { extraHTTPHeaders: { 'x-key': '1' } } }),
  ],
  ['not with a proxy', /uses a proxy/, SHOT, withValues({ proxy: { server: 'http://proxy' } })],
  ['not with a proxy flag', /uses a proxy/, SHOT, withValues({ launchOptions: { args: ['--proxy-server=a'] } })],
  ['not in a remote browser', /remote browser/, SHOT, { isRemote: true }],
  ['not in another browser', /not known in firefox/, SHOT, withValues({ browserName: 'firefox' })],
])('a shot can be reused %s', (_, reason, shot, changes = {}) => {
  const { source } = toReusableShot(shot, SERVER, { ...PROJECT, ...changes });
  expect(source).toEqual(reason === null ? SERVER : expect.stringMatching(reason));
});

test('a shot can be reused only if the run serves its files, and the browser is known', () => {
  expect(toReusableShot(SHOT, null, PROJECT).source).toMatch(/does not serve its files: see `serve`/);
  expect(toReusableShot(SHOT, SERVER, { ...PROJECT, machine: null }).source).toMatch(/cannot be identified/);
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

const partsOf = (shot: Shot, changes: Partial<ProjectOptions> = {}) =>
  toReusableShot(shot, SERVER, { ...PROJECT, ...changes }).parts;

test.each<[part: 'settings' | 'environment', what: string, parts: ReturnType<typeof partsOf>]>([
  ['settings', 'a field of the image', partsOf(withCapture({ fullSize: true }))],
  ['settings', 'a blocked request', partsOf(withCapture({ rules: { block: ['**'], mocks: [], har: null } }))],
  ['settings', 'a limit', partsOf({ ...SHOT, compare: { ...SHOT.compare, threshold: 0.1 } })],
  ['settings', 'the URL', partsOf(at('http://127.0.0.1:1/b'))],
  ['settings', 'an option of the project', partsOf(SHOT, withValues({ isMobile: true }))],
  ['settings', 'an option of the config', partsOf(SHOT, { use: { screen: { width: 400, height: 300 } } })],
  ['settings', 'an option of a later version', partsOf(SHOT, { use: { optionOfALaterVersion: true } })],
  ['environment', 'a flag of the browser', partsOf(SHOT, withValues({ launchOptions: { args: ['--x'] } }))],
  ['environment', 'the machine', partsOf(SHOT, { machine: 'other' })],
])('the %s of the key depend on %s', (part, _, parts) => {
  expect(parts[part]).not.toBe(partsOf(SHOT)[part]);
});

test('the address of a server and the place of a browser are no part of the key', () => {
  for (const use of [{ baseURL: 'http://127.0.0.1:4001/' }, { launchOptions: { executablePath: '/elsewhere' } }])
    expect(partsOf(SHOT, { use })).toEqual(partsOf(SHOT));
  const settingsAt = (origin: string) =>
    partsOf({ ...SHOT, after: { ...SHOT.after, url: `${origin}/a?b`, finalUrl: `${origin}/c` } }).settings;
  expect(settingsAt('http://127.0.0.1:4001')).toBe(settingsAt('http://127.0.0.1:4002'));
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
