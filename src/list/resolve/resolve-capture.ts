import {
  type Action,
  type ActionInput,
  type CaptureSettings,
  DEFAULTS,
  type Ignore,
  type IgnoreInput,
  readClock,
  type ShotFieldsInput,
  splitSelectors,
  type Wait,
  type WaitInput,
} from '../../model/index.js';

/** Resolves the capture settings. An element is always captured whole, so `fullSize` is false for it. */
export function resolveCapture(fields: ShotFieldsInput): CaptureSettings {
  return { ...resolveImage(fields), ...resolvePreparation(fields) };
}

function resolveImage(fields: ShotFieldsInput) {
  const format = fields.format ?? DEFAULTS.format;
  const element = fields.element ?? null;
  return {
    format,
    quality: fields.quality ?? DEFAULTS.quality[format],
    fullSize: element === null && (fields.fullSize ?? DEFAULTS.fullSize),
    contentHeight: fields.height === null,
    expand: typeof fields.expand === 'boolean' ? fields.expand : resolveExpand(fields.expand),
    scale: fields.scale ?? DEFAULTS.scale,
    element,
  };
}

function resolveExpand(selectors: string | readonly string[] | undefined): boolean | string[] {
  return selectors === undefined ? DEFAULTS.expand : listSelectors(selectors);
}

function resolvePreparation(fields: ShotFieldsInput) {
  const { late, ...switches } = fields.settle ?? {};
  return {
    waitFor: resolveWaits(fields.waitFor),
    actions: resolveActions(fields.actions),
    javascriptCode: fields.javascriptCode ?? null,
    delayMs: Math.round((fields.delay ?? DEFAULTS.delay) * 1000),
    hide: listSelectors(fields.hide),
    remove: listSelectors(fields.remove),
    mask: listSelectors(fields.mask),
    ignore: listIgnore(fields.ignore),
    strictMasks: fields.strictMasks ?? DEFAULTS.strictMasks,
    explain: fields.explain ?? DEFAULTS.explain,
    hideCookie: fields.hideCookie ?? DEFAULTS.hideCookie,
    clock: fields.clock === undefined ? null : readClock(fields.clock),
    settle: { ...DEFAULTS.settle, ...switches },
    lateMs: Math.round((late ?? DEFAULTS.late) * 1000),
    warnsOfErrorText: fields.strict !== false && (fields.httpStatus ?? 200) < 400,
    story: null,
  };
}

/** Resolves `waitFor`. In a validated list, each mapping is one wait. */
function resolveWaits(waitFor: ShotFieldsInput['waitFor']): Wait[] {
  return [waitFor ?? []].flat().flatMap(resolveWait);
}

/** Resolves `actions`. In a validated list, each mapping is one action. */
function resolveActions(actions: readonly ActionInput[] | undefined): Action[] {
  return (actions ?? []).flatMap(resolveAction);
}

function resolveWait(wait: WaitInput): Wait[] {
  const { selector, text, response } = typeof wait === 'string' ? { selector: wait } : wait;
  if (selector !== undefined) return [{ kind: 'selector', selector }];
  if (text !== undefined) return [{ kind: 'text', text }];
  return response === undefined ? [] : [{ kind: 'response', pattern: response }];
}

function resolveAction({ click, hover, fill, press, scrollTo, wait }: ActionInput): Action[] {
  if (click !== undefined) return [{ kind: 'click', selector: click }];
  if (hover !== undefined) return [{ kind: 'hover', selector: hover }];
  if (fill !== undefined) return [{ kind: 'fill', ...fill }];
  if (press !== undefined) return [resolvePress(press)];
  if (scrollTo !== undefined) return [{ kind: 'scrollTo', to: scrollTo === 'top' ? 0 : scrollTo }];
  return wait === undefined ? [] : resolvePause(wait);
}

function resolvePress(press: NonNullable<ActionInput['press']>): Action {
  const { key, selector = null } = typeof press === 'string' ? { key: press } : press;
  return { kind: 'press', key, selector };
}

function resolvePause(wait: number | WaitInput): Action[] {
  if (typeof wait === 'number') return [{ kind: 'pause', ms: Math.round(wait * 1000) }];
  return resolveWait(wait).map((until) => ({ kind: 'wait', until }));
}

/** Returns the selectors of a field that takes a list, or one string with commas. */
export function listSelectors(field: string | readonly string[] | undefined): string[] {
  return [field ?? []].flat().flatMap(splitSelectors);
}

/** Returns the selectors and the rectangles of an `ignore` field. */
function listIgnore(field: IgnoreInput | undefined): Ignore {
  const items = [field ?? []].flat();
  return {
    selectors: listSelectors(items.filter((item) => typeof item === 'string')),
    areas: items.filter((item) => typeof item !== 'string'),
  };
}
