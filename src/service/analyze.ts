import { randomUUID } from 'node:crypto';
import { captureLink } from '../baselines/paths.js';
import { readDocument } from '../capture/in-page/frames.js';
import { inspectPage } from '../capture/inspect/inspect-page.js';
import { type PageWatch, watchPage } from '../capture/inspect/watch-page.js';
import { solidColor } from '../image/solid-color.js';
import type { EncodedImage } from '../model/image.js';
import type { AnalyzeResponse, PageFindings } from '../model/service/analyze.js';
import type { PageToSummarize, Summary } from '../model/service/language-model.js';
import type { AnalyzeV3 } from '../model/service/requests.js';
import { withoutCredentials } from '../model/words.js';
import { checkLinks } from './analysis/check-links.js';
import { judgeQuality } from './analysis/quality.js';
import { summarize } from './analysis/summarize.js';
import { findTopics } from './analysis/topics.js';
import { languageOf } from './analysis/words.js';
import { type Call, type CallContext, captureWithEgress } from './call-context.js';
import { fieldsOf, keep, warningsOf } from './capture.js';

/** How long looking at an open page may take. */
const LOOK_MS = 20_000;

/**
 * Captures a page and tells what was found on it, as `POST /api/v3/analyze` asks for it. The same question is answered from
 * what was found before, for a time.
 *
 * @throws ProofsheetError: what keeps the page from being captured, or the file from being kept.
 */
export async function analyzeForService(request: AnalyzeV3, room: CallContext, call: Call): Promise<AnalyzeResponse> {
  const { forceRefresh, ...asked } = request;
  // Its links are those of the address by which it was asked for.
  const question = JSON.stringify([call.urlOf(''), asked]);
  const known = forceRefresh ? null : room.answers.get(question);
  if (known) return { ...known, fromCache: true };
  const { answer, isWhole } = await analyze(request, room, call);
  if (isWhole) room.answers.put(question, answer);
  return answer;
}

async function analyze(request: AnalyzeV3, room: CallContext, call: Call) {
  const { url, format, enableQuality, enableSummary } = request;
  const { result, findings, html, warnings } = await look(request, room, call);
  const { image, viewport, takenAt } = result.capture;
  const { content } = findings;
  const text = content?.text ?? '';
  const fetchPage = async (link: string, init: { readonly signal: AbortSignal }) => {
    await room.outside.checkTarget(link);
    return room.outside.fetch(link, init);
  };
  const page: PageToSummarize = { url: withoutCredentials(url), text, image: imageFor(image) };
  const [link, links, isPlain, summary] = await Promise.all([
    keep(room, captureLink(url, randomUUID(), takenAt, format === 'html' ? 'png' : format), image.bytes),
    enableQuality ? checkLinks(content?.links ?? { total: 0, first: [] }, fetchPage, call.signal) : null,
    enableQuality ? solidColor(image).then((color) => color !== null) : null,
    enableSummary && room.languageModel ? summarize(page, room.languageModel, call.signal) : null,
  ]);
  call.signal.throwIfAborted();
  const answer: AnalyzeResponse = {
    ...{ status: 'success', error: false, fetchTime: new Date(takenAt).toISOString() },
    message: `Analysed. ${tellSummary(enableSummary, summary)}`,
    url: withoutCredentials(url),
    screenshot: { link: call.urlOf(link), ...viewport, html: format === 'html' ? html : null },
    summary: summary?.kind === 'written' ? summary.text : null,
    topics: findTopics(text, languageOf(content?.metadata.language ?? null)),
    quality: enableQuality ? judgeQuality({ findings, isPlain, links }) : null,
    headings: content?.headings ?? { h1: [], h2: [], h3: [] },
    metadata: content?.metadata ?? {},
    fromCache: false,
    warnings,
  };
  // A model that failed may answer the next time.
  return { answer, isWhole: summary?.kind !== 'failed' };
}

/** Whatever the page answers, wherever it leads, and if it is blank: that is what is to be found out. */
async function look(request: AnalyzeV3, room: CallContext, call: Call) {
  const { url, format, enableQuality } = request;
  let watch: PageWatch | null = null;
  const target = {
    url,
    fields: fieldsOf(request),
    takes: { anyStatus: true, anyAddress: true, plain: true },
    meet: (page: Parameters<typeof watchPage>[0]) => {
      watch = watchPage(page);
    },
  };
  return captureWithEgress(target, room, call, async (page, result) => {
    const html = format === 'html' ? await readDocument(page) : null;
    const findings: PageFindings = await inspectPage(page, watch ?? watchPage(page), {
      quality: enableQuality,
      capMs: LOOK_MS,
    });
    return { result, findings, html, warnings: warningsOf(page, url, result) };
  });
}

/** A model is shown pictures, and a PDF is none. */
function imageFor({ bytes, codec }: EncodedImage): PageToSummarize['image'] {
  return codec === 'pdf' ? null : { bytes, type: `image/${codec}` };
}

function tellSummary(isAsked: boolean, summary: Summary | null): string {
  if (!isAsked) return 'No summary: it was not asked for (`enableSummary`).';
  if (!summary)
    return 'No summary: no language model is set (PROOFSHEET_AI_URL, PROOFSHEET_AI_MODEL, PROOFSHEET_AI_KEY).';
  return summary.kind === 'failed'
    ? `No summary: ${summary.why}.`
    : `The summary is of the ${summary.saw} of the page.`;
}
