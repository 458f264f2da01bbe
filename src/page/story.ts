import type { Page } from '@playwright/test';
import { type CaptureSettings, cutText, ProofsheetError, renderPlain } from '../model/index.js';
import { pause } from './browser/timing.js';
import type { Deadline } from './deadline.js';

const POLL_MS = 25;

/** Maximum length of an error of Storybook in a message, in characters: some contain the whole document. */
const MAX_ERROR_LENGTH = 400;

/** Takes what a story sets in `parameters.proofsheet`. Returns the settings that it changes. @throws Error if the story is not to be captured */
export type TakeParameters = (parameters: unknown) => Partial<CaptureSettings>;

interface SeenStory {
  readonly isRendered: boolean;
  /** What Storybook reports; null: no error. */
  readonly error: string | null;
  /** Null until Storybook has started to render a story. */
  readonly phase: string | null;
  /** What the story sets for proofsheet, as JSON: `null` if that is nothing; null until the story is loaded. */
  readonly parameters: string | null;
}

/**
 * Waits until Storybook has rendered a story, which includes its play function.
 *
 * @param takeParameters - is called before the story is rendered: a story that is left out may fail
 * @returns the settings that the story changes
 * @throws what `takeParameters` throws; ProofsheetError `page-story` with the error of Storybook, or if the story is not rendered in half of the remaining time
 */
export async function awaitStory(
  page: Page,
  id: string,
  deadline: Deadline,
  takeParameters: TakeParameters,
): Promise<Partial<CaptureSettings>> {
  const startedAt = performance.now();
  const limitMs = deadline.remainingMs(1 / 2);
  let own: Partial<CaptureSettings> | null = null;
  const fail = (found: string, advice: string): never => {
    throw new ProofsheetError({ code: 'page-story', where: page.url(), found, advice });
  };
  for (;;) {
    const seen = await deadline.race('rendering the story', page.evaluate(readStory, id));
    const { isRendered, error, phase, parameters } = seen;
    if (parameters !== null) own ??= parameters === 'null' ? {} : takeParameters(JSON.parse(parameters));
    if (error !== null) {
      const text = cutText(renderPlain(error).replace(/ +/g, ' '), MAX_ERROR_LENGTH) || 'no message';
      fail(
        `Storybook reports an error: ${text}`,
        'Open the story in Storybook and correct it, or leave it out with `exclude`.',
      );
    }
    if (isRendered) return own ?? {};
    const waitedMs = performance.now() - startedAt;
    const seconds = Math.round(waitedMs / 100) / 10;
    if (waitedMs >= limitMs && phase === null)
      fail(
        `no story of Storybook started to render after ${seconds} s`,
        'Check that the URL is that of a built Storybook of version 8 or later.',
      );
    if (waitedMs >= limitMs)
      fail(
        `the story was not rendered after ${seconds} s; its last phase was "${phase}"`,
        'Find out what its loaders or its play function wait for, or raise `timeout`.',
      );
    await pause(POLL_MS);
  }
}

/** The events of Storybook's preview, with the arguments of their last occurrence. */
interface StorybookChannel {
  last(event: string): readonly unknown[] | undefined;
}

/**
 * Runs in the page. Reads the last event of each kind from Storybook's channel, so that no event can be missed. Storybook has merged the
 * parameters of the project, the component and the story. Storybook 8, 9 and 10 have these events and phases:
 * https://github.com/storybookjs/storybook/blob/next/code/core/src/core-events/index.ts
 */
function readStory(id: string): SeenStory {
  const preview: { __STORYBOOK_ADDONS_CHANNEL__?: StorybookChannel } = Object(window);
  const last = (event: string) => preview.__STORYBOOK_ADDONS_CHANNEL__?.last(event);
  const fieldOf = (value: unknown, key: string): unknown => Object(value)[key];
  const textOf = (error: unknown): string =>
    [
      fieldOf(error, 'title') ?? fieldOf(error, 'name'),
      fieldOf(error, 'description') ?? fieldOf(error, 'message') ?? error,
    ]
      .filter((part) => typeof part === 'string' && part !== '')
      .join(': ');
  const readError = (): string | null => {
    const unhandled = last('unhandledErrorsWhilePlaying')?.[0];
    const thrown = ['storyErrored', 'playFunctionThrewException', 'storyThrewException', 'configError']
      .map((event) => last(event)?.[0])
      .concat(Array.isArray(unhandled) ? unhandled : [])
      .find((error) => error !== undefined);
    if (thrown !== undefined) return textOf(thrown);
    // The event `storyMissing` has no message: it also stands for a story whose file cannot be loaded.
    if (document.body?.classList.contains('sb-show-errordisplay'))
      return document.getElementById('error-message')?.textContent ?? '';
    return last('storyMissing') === undefined ? null : `there is no story with the id "${id}"`;
  };
  const phase = fieldOf(last('storyRenderPhaseChanged')?.[0], 'newPhase');
  // Since 8.6, `afterEach` hooks run between the event and the phase `finished`. In the same task, `completed` ends.
  const isDone = phase === 'finished' || phase === 'completed';
  const [prepared] = last('storyPrepared') ?? [];
  const { proofsheet = null } = Object(fieldOf(prepared, 'parameters'));
  const write = () => JSON.stringify(proofsheet, (_, value) => (typeof value === 'function' ? 'a function' : value));
  return {
    isRendered: isDone && last('storyRendered')?.[0] === id,
    error: readError(),
    phase: typeof phase === 'string' ? phase : null,
    parameters: fieldOf(prepared, 'id') === id ? write() : null,
  };
}
