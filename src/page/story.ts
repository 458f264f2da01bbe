import type { Page } from '@playwright/test';
import { type CaptureSettings, cutText, ProofsheetError, renderPlain } from '../model/index.js';
import { pause } from './browser/timing.js';
import type { Deadline } from './deadline.js';

/** Interval between two looks at the page, in milliseconds. */
const POLL_MS = 25;

/** Maximum length of an error of Storybook in a message, in characters: some contain the whole document. */
const MAX_ERROR_LENGTH = 400;

/**
 * Takes what a story sets in `parameters.proofsheet`. Returns the settings that it changes.
 *
 * @throws Error if the story is not to be captured
 */
export type TakeParameters = (parameters: unknown) => Partial<CaptureSettings>;

type StoryState =
  | { readonly kind: 'rendered' }
  | { readonly kind: 'failed'; readonly error: string }
  /** `phase` is null until Storybook has started to render a story. */
  | { readonly kind: 'pending'; readonly phase: string | null };

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
  for (;;) {
    const { state, parameters } = await deadline.race('rendering the story', page.evaluate(readStory, id));
    if (parameters !== null) own ??= parameters === 'null' ? {} : takeParameters(JSON.parse(parameters));
    if (state.kind === 'rendered') return own ?? {};
    if (state.kind === 'failed') throw failedStory(page, state.error);
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= limitMs) throw pendingStory(page, state.phase, waitedMs);
    await pause(POLL_MS);
  }
}

function failedStory(page: Page, error: string): ProofsheetError {
  const text = renderPlain(error).replace(/ +/g, ' ');
  const found = `Storybook reports an error: ${cutText(text, MAX_ERROR_LENGTH) || 'no message'}`;
  const advice = 'Open the story in Storybook and correct it, or leave it out with `exclude`.';
  return new ProofsheetError({ code: 'page-story', where: page.url(), found, advice });
}

function pendingStory(page: Page, phase: string | null, waitedMs: number): ProofsheetError {
  const seconds = Math.round(waitedMs / 100) / 10;
  const [found, advice] =
    phase === null
      ? [
          `no story of Storybook started to render after ${seconds} s`,
          'Check that the URL is that of a built Storybook of version 8 or later.',
        ]
      : [
          `the story was not rendered after ${seconds} s; its last phase was "${phase}"`,
          'Find out what its loaders or its play function wait for, or raise `timeout`.',
        ];
  return new ProofsheetError({ code: 'page-story', where: page.url(), found, advice });
}

/** The events of Storybook's preview, with the arguments of their last occurrence. */
interface StorybookChannel {
  last(event: string): readonly unknown[] | undefined;
}

interface SeenStory {
  readonly state: StoryState;
  /** What the story sets for proofsheet, as JSON: `null` if that is nothing; null until the story is loaded. */
  readonly parameters: string | null;
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
  const readState = (): StoryState => {
    const failed = (error: string) => ({ kind: 'failed', error }) as const;
    const thrown = ['storyErrored', 'playFunctionThrewException', 'storyThrewException', 'configError']
      .map((event) => last(event)?.[0])
      .find((error) => error !== undefined);
    if (thrown !== undefined) return failed(textOf(thrown));
    const unhandled = last('unhandledErrorsWhilePlaying')?.[0];
    if (Array.isArray(unhandled) && unhandled.length > 0) return failed(textOf(unhandled[0]));
    // The event `storyMissing` has no message: it also stands for a story whose file cannot be loaded.
    if (document.body?.classList.contains('sb-show-errordisplay'))
      return failed(document.getElementById('error-message')?.textContent ?? '');
    if (last('storyMissing') !== undefined) return failed(`there is no story with the id "${id}"`);
    const phase = fieldOf(last('storyRenderPhaseChanged')?.[0], 'newPhase');
    // Since 8.6, `afterEach` hooks run between the event and the phase `finished`. In the same task, `completed` ends.
    const isDone = phase === 'finished' || phase === 'completed';
    if (isDone && last('storyRendered')?.[0] === id) return { kind: 'rendered' };
    return { kind: 'pending', phase: typeof phase === 'string' ? phase : null };
  };
  const [prepared] = last('storyPrepared') ?? [];
  const { proofsheet = null } = Object(fieldOf(prepared, 'parameters'));
  const write = () => JSON.stringify(proofsheet, (_, value) => (typeof value === 'function' ? 'a function' : value));
  return { state: readState(), parameters: fieldOf(prepared, 'id') === id ? write() : null };
}
