import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readRun } from '../../baselines/read-run.js';
import { applyDecision } from '../../core/review/approve.js';
import type { ChosenShot } from '../../core/review/choose-shots.js';
import { type Replaced, undoDecision } from '../../core/review/undo-decision.js';
import type { ProjectFolders } from '../../core/run/folders.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { nameShot } from '../../model/plain-text.js';
import {
  type Decided,
  type DecisionRequest,
  decisionRequestSchema,
  type Undone,
  type UndoRequest,
  undoRequestSchema,
} from '../../model/review.js';
import type { RunRecord } from '../../model/run-record.js';
import { type Access, type Answer, isSame, json } from './access.js';

/** Handles the requests of the report: decisions, and the undo of the last decision. */
export type ApprovalContext = (request: IncomingMessage) => Promise<Answer>;

/** The result of a request. `undo` is the id to undo the decision while it is the last one; null if it cannot be undone. */
type Done = (Decided | Undone) & { readonly undo: string | null };

type ApprovalRequest = DecisionRequest | UndoRequest;

/** Creates an approval context. Runs requests in sequence and returns errors as a `message`. */
export function createApprovalContext(places: ProjectFolders, access: Access): ApprovalContext {
  let pending: Promise<unknown> = Promise.resolve();
  let last: { readonly id: string; readonly replaced: readonly Replaced[] } | null = null;
  const decide = async ({ decision, shots }: DecisionRequest, token: string): Promise<Done> => {
    const replaced: Replaced[] = [];
    const choose = (run: RunRecord) => {
      requireSameRun(run, token, access);
      return shots.map((key) => findShot(run, key));
    };
    const onReplaced = (one: Replaced) => void replaced.push(one);
    const decided = await applyDecision(places, { decision, choose, force: false, onReplaced });
    const isUndoable = replaced.length > 0 && sizeOf(replaced) <= MAX_UNDO_BYTES;
    last = isUndoable ? { id: randomUUID(), replaced } : null;
    const isTooLarge = replaced.length > 0 && !isUndoable;
    return { ...decided, warnings: [...decided.warnings, ...(isTooLarge ? [TOO_LARGE] : [])], undo: last?.id ?? null };
  };
  const undo = async (id: string, token: string): Promise<Done> => {
    requireSameRun(await readRun(places.folder), token, access);
    if (last?.id !== id) throw otherDecision();
    const { replaced } = last;
    last = null;
    return { ...(await undoDecision(places, replaced)), undo: null };
  };
  return async (request) => {
    if (request.method !== 'POST') return json(405, { message: 'Decisions are sent by POST.' });
    if (!access.isOurOrigin(request)) return json(403, { message: 'Only the page of this report may decide.' });
    const { data } = requestSchema.safeParse(await readJson(request));
    if (!data)
      return json(400, { message: 'It must be { "decision", "shots": [{ "project", "id" }] }, or { "undo" }.' });
    const token = String(request.headers['x-proofsheet-token'] ?? '');
    const act = (body: ApprovalRequest) => ('undo' in body ? undo(body.undo, token) : decide(body, token));
    // Run requests in sequence: parallel ones would overwrite each other's report.
    const result = pending.then(() => answer(() => act(data)));
    // A failed request does not block the next one.
    pending = result.catch(messageOf);
    return result;
  };
}

const requestSchema = decisionRequestSchema.or(undoRequestSchema);

/** Maximum size of the old baselines in memory, in bytes. Enough for the last decision on about 1,000 pages. */
const MAX_UNDO_BYTES = 256 * 1024 * 1024;

const TOO_LARGE = 'it cannot be undone here: the old baselines have more than 256 MB';

function sizeOf(replaced: readonly Replaced[]): number {
  return replaced.reduce((bytes, { baseline }) => bytes + (baseline?.before?.length ?? 0), 0);
}

/** Maximum size of a request body, in bytes. Larger than the decisions of any report. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Parses the request body; null if it is not JSON or too large. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  try {
    return bytes > MAX_BYTES ? null : JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

async function answer(act: () => Promise<Done>): Promise<Answer> {
  try {
    return json(200, await act());
  } catch (error) {
    if (error instanceof ProofsheetError) return json(409, { message: error.message });
    throw error;
  }
}

function requireSameRun(run: RunRecord, token: string, access: Access): void {
  if (!isSame(token, access.sessionOf(run))) throw otherRun('it shows another run than the one that is there now');
}

/** Finds a shot by project and id. It counts as named, because the reviewer sees it. */
function findShot({ shots }: RunRecord, { project, id }: DecisionRequest['shots'][number]): ChosenShot {
  const shot = shots.find((other) => other.id === id && other.project === project);
  if (shot) return { shot, isNamed: true };
  throw otherRun(`the run has no shot ${nameShot({ project, id })}`);
}

function otherRun(found: string): ProofsheetError {
  const advice = 'Nothing was written. Reload the page, and look again.';
  return new ProofsheetError({ code: 'command-invalid', where: 'this page', found, advice });
}

function otherDecision(): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: 'this page',
    found: 'the decision is not the last one any more',
    advice: 'Nothing was written. Restore the baselines from version control.',
  });
}
