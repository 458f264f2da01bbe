import type { IncomingMessage } from 'node:http';
import type { ChosenShot } from '../../core/choose-shots.js';
import { decideShots, type Places } from '../../core/decide-shots.js';
import { type DecisionRequest, decisionRequestSchema } from '../../model/decided.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { RunRecord } from '../../model/record.js';
import { nameShot } from '../../report/words.js';
import { type Access, isSame } from './report-access.js';
import { type Answer, json } from './report-answer.js';

/** Takes the decisions that the report's page sends. */
export type Desk = (request: IncomingMessage) => Promise<Answer>;

/** Creates a desk: decisions are done one after the other. What is wrong with one is answered with a `message`. */
export function createDesk(places: Places, access: Access): Desk {
  let turn: Promise<unknown> = Promise.resolve();
  return async (request) => {
    if (request.method !== 'POST') return json(405, { message: 'Decisions are sent by POST.' });
    if (!access.isOurOrigin(request)) return json(403, { message: 'Only the page of this report may decide.' });
    const { data } = decisionRequestSchema.safeParse(await readJson(request));
    if (!data) return json(400, { message: 'It must be { "decision", "shots": [{ "project", "id" }] }.' });
    const token = String(request.headers['x-proofsheet-token'] ?? '');
    // Two at once would each write a report without the other's.
    const mine = turn.then(() => decide(data, token, places, access));
    // One that fails does not keep the next from its turn.
    turn = mine.catch(messageOf);
    return mine;
  };
}

/** More than any report has shots. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Gives null for what is no JSON, or too much of it. */
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

async function decide(
  { decision, shots }: DecisionRequest,
  token: string,
  places: Places,
  access: Access,
): Promise<Answer> {
  const choose = (run: RunRecord) => {
    if (!isSame(token, access.sessionOf(run))) throw otherRun('it shows another run than the one that is there now');
    return shots.map((key) => findShot(run, key));
  };
  try {
    return json(200, await decideShots(places, { decision, choose, force: false }));
  } catch (error) {
    if (error instanceof ProofsheetError) return json(409, { message: error.message });
    throw error;
  }
}

/** Each shot of a page is chosen by its own name: the reviewer has it before his eyes. */
function findShot({ shots }: RunRecord, { project, id }: DecisionRequest['shots'][number]): ChosenShot {
  const shot = shots.find((other) => other.id === id && other.project === project);
  if (shot) return { shot, isNamed: true };
  throw otherRun(`the run has no shot ${nameShot({ project, id })}`);
}

function otherRun(found: string): ProofsheetError {
  const advice = 'Nothing was written. Load the page anew, and look again.';
  return new ProofsheetError({ code: 'command-invalid', where: 'this page', found, advice });
}
