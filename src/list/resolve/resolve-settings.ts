import { resolve } from 'node:path';
import {
  type Action,
  type ActionInput,
  type CaptureSettings,
  type CompareSettings,
  compareOptions,
  DEFAULTS,
  fill,
  type Ignore,
  type IgnoreInput,
  imageOptions,
  type NetworkRules,
  pageImageFields,
  readClock,
  type Shot,
  type ShotFieldsInput,
  splitSelectors,
  verdictOptions,
  type Wait,
  type WaitInput,
} from '../../model/index.js';

export type Settings = Pick<Shot, 'capture' | 'compare' | 'verdict' | 'timeoutMs'>;

/**
 * Resolves the fields of a page, or the options of a matcher, with the defaults.
 *
 * @param folder - absolute path of the folder that paths of files are relative to. Options of a matcher have no such paths
 */
export function resolveSettings(fields: ShotFieldsInput, folder = ''): Settings {
  const { timeout, ...verdict } = fill(verdictOptions, fields);
  return {
    capture: { ...resolveCapture(fields), rules: resolveRules(fields, folder) },
    compare: resolveCompare(fields),
    verdict,
    timeoutMs: millisecondsOf(timeout),
  };
}

/** If neither limit is set, no pixel may differ. If only one is set, the other is null. */
function resolveCompare(fields: ShotFieldsInput): CompareSettings {
  const { maxDiffPixels = fields.maxDiffPixelRatio === undefined ? DEFAULTS.maxDiffPixels : null } = fields;
  return { ...fill(compareOptions, fields), maxDiffPixels };
}

/** An element is always captured whole, so `fullSize` is false for it. */
function resolveCapture(fields: ShotFieldsInput): Omit<CaptureSettings, 'rules'> {
  const { delay, quality, clock, expand, waitFor, actions, pseudo, texts, ...filled } = fill(
    { ...imageOptions, ...pageImageFields },
    fields,
  );
  const { late = 0, ...switches } = fields.settle ?? {};
  return {
    ...filled,
    quality: typeof quality === 'number' ? quality : quality[filled.format],
    fullSize: filled.element === null && filled.fullSize,
    contentHeight: fields.height === null,
    expand: typeof expand === 'boolean' ? expand : listSelectors(expand),
    pseudo: Object.fromEntries(
      Object.entries(pseudo ?? {}).map(([state, each]) => [state, listSelectors(each ?? null)]),
    ),
    texts: Object.entries(texts ?? {}).map(([selector, pattern]) => ({ selector, pattern })),
    waitFor: [waitFor ?? []].flat().flatMap(resolveWait),
    actions: (actions ?? []).flatMap(resolveAction),
    delayMs: millisecondsOf(delay),
    hide: listSelectors(filled.hide),
    remove: listSelectors(filled.remove),
    mask: listSelectors(filled.mask),
    ignore: listIgnore(filled.ignore),
    clock: clock === null ? null : readClock(clock),
    settle: { ...DEFAULTS.settle, ...(fields.reducedMotion === 'no-preference' && { motion: false }), ...switches },
    lateMs: millisecondsOf(late),
    warnsOfErrorText: fields.strict !== false && (fields.httpStatus ?? 200) < 400,
    story: null,
    cropsStory: false,
  };
}

function resolveRules({ block, mock = {}, har }: ShotFieldsInput, folder: string): NetworkRules {
  return {
    block: [block ?? []].flat(),
    mocks: Object.entries(mock).map(([pattern, answer]) => {
      const { status = 200, headers = {}, body, file } = typeof answer === 'string' ? { file: answer } : answer;
      const isData = typeof body === 'object';
      return {
        ...{ pattern, status },
        headers: { ...(isData && { 'content-type': 'application/json' }), ...headers },
        body: isData ? JSON.stringify(body) : (body ?? null),
        file: file === undefined ? null : resolve(folder, file),
      };
    }),
    har: har === undefined ? null : resolve(folder, har),
  };
}

function millisecondsOf(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** In a validated list, each mapping is one wait. */
function resolveWait(wait: WaitInput): Wait[] {
  const { selector, text, response } = typeof wait === 'string' ? { selector: wait } : wait;
  if (selector !== undefined) return [{ kind: 'selector', selector }];
  if (text !== undefined) return [{ kind: 'text', text }];
  return response === undefined ? [] : [{ kind: 'response', pattern: response }];
}

/** In a validated list, each mapping is one action. */
function resolveAction({ click, hover, fill, press, scrollTo, wait }: ActionInput): Action[] {
  if (click !== undefined) return [{ kind: 'click', selector: click }];
  if (hover !== undefined) return [{ kind: 'hover', selector: hover }];
  if (fill !== undefined) return [{ kind: 'fill', ...fill }];
  if (press !== undefined) {
    const { key, selector = null } = typeof press === 'string' ? { key: press } : press;
    return [{ kind: 'press', key, selector }];
  }
  if (scrollTo !== undefined) return [{ kind: 'scrollTo', to: scrollTo === 'top' ? 0 : scrollTo }];
  if (typeof wait === 'number') return [{ kind: 'pause', ms: millisecondsOf(wait) }];
  return wait === undefined ? [] : resolveWait(wait).map((until) => ({ kind: 'wait', until }));
}

function listSelectors(field: string | readonly string[] | null): string[] {
  return [field ?? []].flat().flatMap(splitSelectors);
}

function listIgnore(field: IgnoreInput | null): Ignore {
  const items = [field ?? []].flat();
  return {
    selectors: listSelectors(items.filter((item) => typeof item === 'string')),
    areas: items.filter((item) => typeof item !== 'string'),
  };
}
