import type { ShotFieldsInput } from '../model/page-list.js';
import type { CaptureSettings } from '../model/plan.js';
import { readClock } from './clock.js';
import { DEFAULTS } from './defaults.js';
import { resolveActions, resolveWaits } from './resolve-steps.js';
import { listIgnore, listSelectors } from './selectors.js';

/** Fills in how a page becomes an image. An element is captured whole: `fullSize` does not count for it. */
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
    scale: fields.scale ?? DEFAULTS.scale,
    element,
  };
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
    hideCookie: fields.hideCookie ?? DEFAULTS.hideCookie,
    clock: fields.clock === undefined ? null : readClock(fields.clock),
    settle: { ...DEFAULTS.settle, ...switches },
    lateMs: Math.round((late ?? DEFAULTS.late) * 1000),
    warnsOfErrorText: fields.strict !== false && (fields.httpStatus ?? 200) < 400,
  };
}
