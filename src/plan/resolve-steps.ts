import type { ActionInput, WaitInput } from '../model/list-steps.js';
import type { ShotFieldsInput } from '../model/page-list.js';
import type { Action, Wait } from '../model/steps.js';

/** Fills in what is waited for; a mapping in a list that was checked is one thing. */
export function resolveWaits(waitFor: ShotFieldsInput['waitFor']): Wait[] {
  return [waitFor ?? []].flat().flatMap(resolveWait);
}

/** Fills in what is done; a mapping in a list that was checked is one action. */
export function resolveActions(actions: readonly ActionInput[] | undefined): Action[] {
  return (actions ?? []).flatMap(resolveAction);
}

function resolveWait(wait: WaitInput): Wait[] {
  if (typeof wait === 'string') return [{ kind: 'selector', selector: wait }];
  const { selector, text, response } = wait;
  return [
    ...(selector === undefined ? [] : [{ kind: 'selector' as const, selector }]),
    ...(text === undefined ? [] : [{ kind: 'text' as const, text }]),
    ...(response === undefined ? [] : [{ kind: 'response' as const, pattern: response }]),
  ];
}

function resolveAction({ click, hover, fill, press, scrollTo, wait }: ActionInput): Action[] {
  return [
    ...(click === undefined ? [] : [{ kind: 'click' as const, selector: click }]),
    ...(hover === undefined ? [] : [{ kind: 'hover' as const, selector: hover }]),
    ...(fill === undefined ? [] : [{ kind: 'fill' as const, ...fill }]),
    ...(press === undefined ? [] : [resolvePress(press)]),
    ...(scrollTo === undefined ? [] : [{ kind: 'scrollTo' as const, to: scrollTo === 'top' ? 0 : scrollTo }]),
    ...(wait === undefined ? [] : resolvePause(wait)),
  ];
}

function resolvePress(press: NonNullable<ActionInput['press']>): Action {
  const { key, selector = null } = typeof press === 'string' ? { key: press } : press;
  return { kind: 'press', key, selector };
}

function resolvePause(wait: number | WaitInput): Action[] {
  if (typeof wait === 'number') return [{ kind: 'pause', ms: Math.round(wait * 1000) }];
  return resolveWait(wait).map((until) => ({ kind: 'wait', until }));
}
