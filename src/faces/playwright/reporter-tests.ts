import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import type { ObservedAttempt, ObservedTest } from '../../core/collect-observed.js';
import { type Problem, ProofsheetError } from '../../model/errors.js';
import type { DeclaredShot, ShotMessage } from '../../model/message.js';
import { DECLARED_ANNOTATION, decodeDeclared, decodeMessage, MESSAGE_ATTACHMENT } from '../../record/wire.js';

/** The tests of a run that are ours, and what of them could not be read. */
export interface ReadTests {
  readonly tests: readonly ObservedTest[];
  readonly problems: readonly Problem[];
}

/** Reads the tests that declare a shot or compared something, in words that are not Playwright's. */
export function readTests(suite: Suite, config: FullConfig): ReadTests {
  const problems = new Map<string, Problem>();
  const tests = suite.allTests().flatMap((test) => {
    const declared = readDeclared(test, problems);
    const attempts = test.results.map((result) => readAttempt(result, problems));
    const isOurs = declared !== null || attempts.some(({ messages }) => messages.length > 0);
    return isOurs ? [observe(test, declared, attempts, config)] : [];
  });
  return { tests, problems: [...problems.values()] };
}

/** Gives the first line of an error, without colours. */
export function firstLine(error: TestError | undefined): string | null {
  const text = stripVTControlCharacters(error?.message ?? error?.value ?? '');
  const line = text.split('\n').find((candidate) => candidate.trim() !== '');
  return line?.trim().replace(/^Error: /, '') ?? null;
}

function observe(
  test: TestCase,
  declared: DeclaredShot | null,
  attempts: readonly ObservedAttempt[],
  config: FullConfig,
): ObservedTest {
  const file = relative(config.rootDir, test.location.file).split(sep).join('/');
  return {
    project: test.parent.project()?.name ?? '',
    title: test.titlePath().slice(3).join(' > '),
    location: `${file}:${test.location.line}`,
    repeat: test.repeatEachIndex,
    declared,
    skipped: readSkipped(test),
    failed: test.outcome() === 'unexpected',
    attempts,
  };
}

/** A test that was to be skipped says so; one that Playwright skips because something before it failed does not. */
function readSkipped(test: TestCase): ObservedTest['skipped'] {
  const mark = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  if (!mark && test.expectedStatus !== 'skipped') return null;
  return { reason: mark?.description ?? null };
}

function readAttempt(result: TestResult, problems: Map<string, Problem>): ObservedAttempt {
  const attachments = new Map<string, string | Buffer>();
  for (const { name, path, body } of result.attachments) {
    const source = path ?? body;
    if (source !== undefined) attachments.set(name, source);
  }
  return {
    outcome: result.status,
    error: firstLine(result.error),
    // -1 until it ends, which it may never do.
    durationMs: Math.max(0, result.duration),
    messages: result.attachments.flatMap((attachment) => readMessage(attachment, problems) ?? []),
    attachments,
  };
}

function readDeclared(test: TestCase, problems: Map<string, Problem>): DeclaredShot | null {
  const description = test.annotations.find(({ type }) => type === DECLARED_ANNOTATION)?.description;
  return description === undefined ? null : tryRead(() => decodeDeclared(description), problems);
}

function readMessage(
  attachment: TestResult['attachments'][number],
  problems: Map<string, Problem>,
): ShotMessage | null {
  if (attachment.name !== MESSAGE_ATTACHMENT) return null;
  return tryRead(() => decodeMessage(attachment.body?.toString('utf8') ?? ''), problems);
}

/** The same trouble with every shot is told once. */
function tryRead<T>(read: () => T, problems: Map<string, Problem>): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    problems.set(error.message, error.problem);
    return null;
  }
}
