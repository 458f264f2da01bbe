import { z } from 'zod';
import {
  causeSchema,
  changeEventSchema,
  columnShiftSchema,
  comparisonSummarySchema,
  regionPlaceSchema,
  regionSchema,
  shiftSchema,
} from './comparison.js';
import { environmentSchema, hiddenElementSchema } from './environment.js';
import { failure } from './errors.js';
import { describeWrongData, problemSchema, warningSchema } from './problem-schemas.js';
import { parseJson } from './text.js';

/** The statuses of a shot, from worst to best. docs/baselines.md documents each under "Statuses". */
export const STATUSES = ['error', 'unstable', 'changed', 'new', 'passed', 'skipped'] as const;

export type Status = (typeof STATUSES)[number];

/** Compares two statuses for sorting, worst first. */
export function compareStatus(a: Status, b: Status): number {
  return STATUSES.indexOf(a) - STATUSES.indexOf(b);
}

const count = z.int().min(0);
const image = z.strictObject({
  link: z.string().nullable().describe('relative to the report folder'),
  width: count,
  height: count,
});
const sourced = image.extend({ source: z.string() });
const captured = sourced.extend({
  sha256: z.string().exactOptional().describe('SHA-256 of the file; absent: it cannot be approved'),
});

/** The v1 response of the capture service: the captured page and the link to its file. */
export const captureResponseSchema = z.strictObject({
  status: z.enum(['success', 'error']),
  fetchTime: z.iso.datetime({ precision: 3 }).describe('time of the capture, UTC'),
  message: z.string(),
  url: z.string(),
  width: count.nullable().describe('viewport width'),
  height: count.nullable().describe('viewport height'),
  link: z.string().nullable().describe('screenshots/<host>/<uuid>/<epoch_millis>.<extension>'),
});

const timingsSchema = z
  .strictObject({
    queue: count.describe('waiting for a page: the start of its context'),
    navigate: count.describe('loading the page; `waitFor`, `actions` and `javascriptCode`'),
    settle: z
      .record(z.string(), count)
      .describe(
        'waiting until the page is stable, by stabilizer or field. Also `live`: the time that the page lives, `window`: growing its window, `proof`: comparing the image with the page, and `unchanged`: pauses between screenshots. Some waits run at the same time. Waits of less than 10 ms are left out',
      ),
    screenshot: count.describe('taking and checking the screenshots'),
    compare: count.describe('comparing the images'),
    write: count.describe('writing the baseline and the images of the report'),
  })
  .describe('where the time of a shot was spent, in milliseconds: all loads and both sides together');

/** The code of the warning about added or removed PDF pages. */
export const PDF_PAGES = 'pdf-pages';

/** The record of one shot at the end of a run. */
export const shotRecordSchema = z.strictObject({
  id: z.string().describe('page[/viewport][/mode][/state]'),
  page: z.string(),
  viewport: z.string().nullable(),
  mode: z.string().nullable().default(null),
  state: z.string().nullable(),
  project: z.string(),
  url: z.string(),
  status: z.enum(STATUSES),
  flaky: z.boolean().describe('the attempts of the test have different statuses'),
  unsteady: z.boolean().describe('loads of the page within one test differed'),
  written: z.boolean().describe('this run wrote its baseline'),
  redrawn: z
    .enum(['compared', 'not-compared'])
    .exactOptional()
    .describe(
      'the page is the same as in the baseline of another environment, which draws it differently; not-compared: texts have other sizes there, so places and sizes were not compared; absent: not so',
    ),
  reused: z.boolean().describe('not captured: inputs and results are those of an earlier capture that passed'),
  notReusable: z.string().exactOptional().describe('why a later run must capture the page; absent: it need not'),
  reason: z.string().nullable().describe('why it did not pass, in one sentence; null: it passed, or was to be written'),
  attempts: z
    .array(
      z.strictObject({
        status: z.enum(STATUSES),
        reason: z.string().exactOptional(),
        ...{ before: sourced.exactOptional(), after: captured.exactOptional(), diff: image.exactOptional() },
      }),
    )
    .describe(
      'all attempts of the test, and before each the loads of the page that differed from it; for a flaky shot with reason and images, except the final attempt, which the shot itself contains',
    ),
  durationMs: z.number().min(0),
  timings: timingsSchema.exactOptional(),
  compared: z.number().min(0).max(1).nullable().describe('share of pixels not masked or ignored; null: no image'),
  summary: comparisonSummarySchema.nullable().describe('null: not compared'),
  limits: z
    .strictObject({
      threshold: z.number(),
      maxDiffPixels: count.nullable(),
      maxDiffPixelRatio: z.number().nullable(),
    })
    .nullable(),
  regions: z.array(regionSchema),
  regionPlaces: z.array(regionPlaceSchema).describe('position of each region in the images, in the order of `regions`'),
  events: z.array(changeEventSchema).nullable().describe('inserted, removed and moved content; null: not aligned'),
  shifts: z.array(shiftSchema).nullable().describe('rows of the before image that moved; null: not aligned'),
  columnShifts: z.array(columnShiftSchema).nullable().describe('areas that moved sideways; null: not aligned'),
  causes: z.array(causeSchema).exactOptional().describe('what changed, the most certain first; absent: unknown'),
  before: sourced.nullable(),
  after: captured.nullable(),
  diff: image.nullable(),
  capture: captureResponseSchema.extend({}).nullable(),
  baseline: z
    .strictObject({
      path: z.string(),
      sha256: z.string().nullable(),
      environment: environmentSchema.nullable().describe('environment of the baseline; null: unknown'),
    })
    .nullable(),
  environment: environmentSchema.nullable(),
  hidden: z.array(hiddenElementSchema).exactOptional().describe('what `hideCookie` removed; absent: it is off'),
  group: z.string().nullable().describe('equal for shots with the same change; 1 is the largest group'),
  decision: z.enum(['approved', 'rejected']).nullable(),
  rejection: z
    .strictObject({
      by: z.string().nullable().describe('null: unknown'),
      at: z.iso.datetime({ precision: 3 }),
      reason: z.string().nullable(),
    })
    .exactOptional()
    .describe('who rejected the change; if `decision` is null, the same change was rejected in an earlier run'),
  warnings: z.array(warningSchema),
});

/** The record of a run: the content of `results.json`. */
export const runRecordSchema = z.strictObject({
  schemaVersion: z.literal(1),
  tool: z.strictObject({ name: z.literal('proofsheet'), version: z.string() }),
  startedAt: z.iso.datetime({ precision: 3 }),
  durationMs: z.number().min(0),
  run: z.strictObject({
    list: z.string().nullable().describe('paths of the page lists, joined by a comma; null: only toMatchBaseline'),
    listHash: z.string().nullable().describe('SHA-256 of each list, joined by a comma'),
    commit: z.string().nullable().describe('tested commit; for a pull request on GitHub, its head; null: unknown'),
    shards: z.array(z.strictObject({ current: count, total: count })).describe('shards of the run; empty: no shards'),
    selected: z.array(z.string()).describe('words of the command line after `playwright test`'),
    complete: z.boolean().describe('every selected shot has a result'),
    tests: z
      .strictObject({
        hash: z.string().describe('SHA-256 of the names of all tests of the run'),
        unfinished: z.array(z.string()).describe('beginnings of the ids of shots that may not have been made'),
      })
      .exactOptional()
      .describe('with this, `prune` checks that the run included every test; missing: it cannot'),
    outputDirs: z.array(z.string()).exactOptional().describe('output folders of the projects; missing: test-results'),
    problems: z.array(problemSchema).describe('problems of the run as a whole, such as a missing shard'),
  }),
  summary: z.strictObject({
    expected: count.describe('number of selected shots'),
    captured: count,
    reused: count.describe('shots that were not captured, because their inputs did not change; they count as compared'),
    compared: count,
    passed: count,
    changed: count,
    new: count,
    unstable: count,
    error: count,
    skipped: count,
    flaky: count,
    unsteady: count,
    written: count,
    redrawn: count.default(0).describe('passed shots that another environment draws differently'),
    obsolete: count.nullable(),
  }),
  shots: z.array(shotRecordSchema),
  obsolete: z.array(z.string()).nullable().describe('baselines that no shot uses; null: unknown'),
});

export type CaptureResponse = z.infer<typeof captureResponseSchema>;
export type ShotRecord = z.infer<typeof shotRecordSchema>;
export type RunRecord = z.infer<typeof runRecordSchema>;
/** Where the time of a shot was spent, in milliseconds: all loads of the page and both sides together. */
export type Timings = z.infer<typeof timingsSchema>;

/** Returns the JSON schema of `results.json` (draft 2020-12), generated from the zod schema. */
export function renderResultsSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(runRecordSchema, { target: 'draft-2020-12' });
  const head = { $schema, $id: 'urn:proofsheet:results.schema.json', title: 'proofsheet: results.json' };
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}

/** The origin of a shot. When shards are merged, it shows whether a shard is missing or belongs to another run. */
export const originSchema = z.strictObject({
  list: z.string().nullable().describe('path of the page list as written in the spec; null for toMatchBaseline'),
  listHash: z.string().nullable(),
  shard: z.strictObject({ current: z.int().min(1), total: z.int().min(1) }).nullable(),
  listIds: z.array(z.string()).nullable().describe('all shot IDs of the list, before filters; null without shards'),
  commit: z.string().nullable().describe('commit; null if it is unknown, or without shards'),
  run: z.string().nullable().describe('ID that all shards of a run share; null if it is unknown, or without shards'),
});

/** The data of a listed shot when it is declared. The reporter uses it for shots whose worker crashed. */
export const declaredShotSchema = shotRecordSchema
  .pick({ id: true, page: true, viewport: true, mode: true, state: true, url: true })
  .extend({
    list: z.string(),
    listHash: z.string(),
    listShots: z.int().min(1).describe('number of shots of the whole list, before filters'),
    line: z.int().min(1),
    each: z.boolean().describe('the test has a shot of its own for each element that the page has'),
  });

/** The result of one comparison, sent from a worker to the reporter. */
export const shotMessageSchema = z.strictObject({
  shot: shotRecordSchema.describe('final record, except flaky, attempts and group, which the reporter sets'),
  images: z
    .array(z.strictObject({ link: z.string(), attachment: z.string() }))
    .describe('the attachment of the same test result for each link of the report'),
  fingerprint: z.string().nullable().describe('hash of the change; equal changes have equal hashes'),
  origin: originSchema,
});

export type Origin = z.infer<typeof originSchema>;
export type DeclaredShot = z.infer<typeof declaredShotSchema>;
export type ShotMessage = z.infer<typeof shotMessageSchema>;

/** Name of the hidden attachment for a {@link ShotMessage}. Playwright does not show names that start with `_`. */
export const MESSAGE_ATTACHMENT = '_proofsheet';

/** Type of the hidden annotation for a {@link DeclaredShot}. */
export const DECLARED_ANNOTATION = '_proofsheet';

/** Reads the body of an attachment, which is JSON. @throws ProofsheetError `record-invalid` when another version of proofsheet wrote it. */
export function decodeMessage(body: string): ShotMessage {
  return decode(shotMessageSchema, body, 'attachment');
}

/** Reads the description of an annotation. @throws ProofsheetError `record-invalid`, as {@link decodeMessage}. */
export function decodeDeclared(description: string): DeclaredShot {
  return decode(declaredShotSchema, description, 'annotation');
}

function decode<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const { data, error } = schema.safeParse(parseJson(text));
  if (error === undefined) return data;
  const found = `this version of proofsheet cannot read the data (${describeWrongData(error)})`;
  throw failure('record-invalid', `${what} of a shot`, found, 'Run and merge with the same version of proofsheet.');
}

const sha256Schema = z.string().regex(/^[\da-f]{64}$/);

const keySchema = shotRecordSchema.pick({ project: true, id: true });

/** Maximum length of the reason of a rejection, in characters. */
export const MAX_REASON = 500;

export type Decision = NonNullable<ShotRecord['decision']>;

/** Schema of a decision request from the report page. */
export const decisionRequestSchema = z.strictObject({
  decision: shotRecordSchema.shape.decision.unwrap(),
  shots: z.array(keySchema).min(1),
  reason: z.string().max(MAX_REASON).exactOptional().describe('why the shots are rejected'),
});

export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** Schema of a request from the report page to undo the decision with this id, which must be the newest one. */
export const undoRequestSchema = z.strictObject({ undo: z.string() });

export type UndoRequest = z.infer<typeof undoRequestSchema>;

const unwritten = z.array(keySchema.extend({ reason: z.string() }));

/** Schema of the baselines that a decision wrote, and of the other shots. */
export const decidedSchema = z.strictObject({
  written: z
    .array(keySchema.extend({ path: z.string(), compared: z.number().describe('share of compared pixels, 0..1') }))
    .describe('written baselines'),
  kept: unwritten.describe('shots without a change to write'),
  refused: unwritten,
  warnings: z.array(z.string()),
});

/** A baseline that was written, and the share of its pixels that are neither masked nor ignored. */
export type WrittenBaseline = Decided['written'][number];

export interface Decided extends Readonly<z.infer<typeof decidedSchema>> {
  readonly record: RunRecord;
}

/** The result of an undone decision: `written` lists the shots whose files were restored, `kept` those that had no file to restore. */
export interface Undone extends Omit<Decided, 'written'> {
  readonly written: readonly Omit<WrittenBaseline, 'compared'>[];
}

/** The state of a shot that a decision replaced. */
export const replacedSchema = shotRecordSchema
  .pick({ project: true, id: true, decision: true, rejection: true })
  .extend({
    baseline: z
      .strictObject({
        path: z.string(),
        before: sha256Schema.nullable().describe('the file that was replaced; null: there was none'),
        after: sha256Schema.nullable().describe('the file that replaced it; null: it was removed'),
      })
      .nullable()
      .describe('null: no baseline was written or removed'),
  });

export type Replaced = z.infer<typeof replacedSchema>;

/** The result of pruning baselines that belong to no shot. Paths are relative to the folder of the config. */
export interface Pruned {
  /** Baselines that still exist and could be deleted. */
  readonly obsolete: readonly string[];
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}

/** Schema of what a run would do with a shot. */
export const affectedShotSchema = shotRecordSchema.pick({ id: true, project: true, url: true }).extend({
  captured: z.boolean().describe('the page would be captured; false: an earlier capture would be reused'),
  why: z.string().nullable().describe('why it would be captured; null: it would not'),
});

export type AffectedShot = z.infer<typeof affectedShotSchema>;

/** Schema of what the tests found out for `proofsheet affected`. */
export const affectedSchema = z.strictObject({
  shots: z.array(affectedShotSchema),
  errors: z.array(z.string()).describe('why tests gave no answer'),
});

export type Affected = z.infer<typeof affectedSchema>;

/** Schema of what one run of `proofsheet upgrade` does. */
export const upgradeSchema = z.strictObject({
  executablePath: z.string().nullable().describe('the browser to launch; null: that of the project'),
  proven: z
    .array(keySchema)
    .nullable()
    .describe('the shots to capture and to write; null: all are compared, and none is written'),
});

export type Upgrade = z.infer<typeof upgradeSchema>;

/** The environment variable with the path of a file with an {@link Upgrade}. If it is set, only the tests of lists run. */
export const UPGRADE_VARIABLE = 'PROOFSHEET_UPGRADE_FILE';

/** The environment variable with the path of the file for the answer. If it is set, tests decide, and capture nothing. */
export const AFFECTED_VARIABLE = 'PROOFSHEET_AFFECTED_FILE';

/** Name of the hidden attachment for an {@link AffectedShot}. */
export const AFFECTED_ATTACHMENT = '_proofsheet-affected';
