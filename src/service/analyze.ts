import { randomUUID } from 'node:crypto';
import { captureLink, type EncodedImage, withoutCredentials } from '../model/index.js';
import { checkLinks } from './analysis/check-links.js';
import { judgeQuality } from './analysis/quality.js';
import { summarize } from './analysis/summarize.js';
import { findTopics, languageOf } from './analysis/topics.js';
import type { Call, CallContext } from './call-context.js';
import { fieldsOf, store } from './capture.js';
import type { AnalyzeResponse } from './protocol/analyze.js';
import type { AnalyzeV3 } from './protocol/requests.js';
import type { PageToSummarize, Summary } from './protocol/settings.js';

/**
 * Performs a `POST /api/v3/analyze` request. Captures a page and analyzes it. Equal requests return the cached response
 * until it expires.
 *
 * @throws ProofsheetError if the page cannot be captured or the file cannot be stored.
 */
export async function analyzeForService(
  request: AnalyzeV3,
  context: CallContext,
  call: Call,
): Promise<AnalyzeResponse> {
  const { forceRefresh, ...fields } = request;
  // The links in the response depend on the base URL of the request.
  const key = JSON.stringify([call.urlOf(''), fields]);
  const cached = forceRefresh ? null : context.answers.get(key);
  if (cached) return { ...cached, fromCache: true };
  const { answer, isComplete } = await analyze(request, context, call);
  if (isComplete) context.answers.put(key, answer);
  return answer;
}

async function analyze(request: AnalyzeV3, context: CallContext, call: Call) {
  const { url, format, enableQuality, enableSummary } = request;
  const { captures, languageModel } = context;
  const asked = { url, fields: fieldsOf(request), html: format === 'html' };
  const { capture, findings, html, isSolid, warnings } = await captures.inspect(asked, enableQuality, call.signal);
  const { image, viewport, takenAt } = capture;
  const { content } = findings;
  const text = content?.text ?? '';
  const page: PageToSummarize = { url: withoutCredentials(url), text, image: imageFor(image) };
  const [link, links, summary] = await Promise.all([
    store(context, captureLink(url, randomUUID(), takenAt, format === 'html' ? 'png' : format), image.bytes),
    enableQuality ? checkLinks(content?.links ?? { total: 0, first: [] }, captures.fetch, call.signal) : null,
    enableSummary && languageModel ? summarize(page, languageModel, call.signal) : null,
  ]);
  call.signal.throwIfAborted();
  const answer: AnalyzeResponse = {
    ...{ status: 'success', error: false, fetchTime: new Date(takenAt).toISOString() },
    message: `Analyzed. ${formatSummary(enableSummary, summary)}`,
    url: withoutCredentials(url),
    screenshot: { link: call.urlOf(link), ...viewport, html },
    summary: summary?.kind === 'written' ? summary.text : null,
    topics: findTopics(text, languageOf(content?.metadata.language ?? null)),
    quality: enableQuality ? judgeQuality({ findings, isSolid, links }) : null,
    headings: content?.headings ?? { h1: [], h2: [], h3: [] },
    metadata: content?.metadata ?? {},
    fromCache: false,
    warnings: [...warnings],
  };
  // Do not cache the response after a model failure: the next request may succeed.
  return { answer, isComplete: summary?.kind !== 'failed' };
}

/** Language models take images but no PDF files. */
function imageFor({ bytes, codec }: EncodedImage): PageToSummarize['image'] {
  return codec === 'pdf' ? null : { bytes, type: `image/${codec}` };
}

function formatSummary(isRequested: boolean, summary: Summary | null): string {
  if (!isRequested) return 'No summary: not requested (`enableSummary`).';
  if (!summary)
    return 'No summary: no language model is configured (PROOFSHEET_AI_URL, PROOFSHEET_AI_MODEL, PROOFSHEET_AI_KEY).';
  return summary.kind === 'failed'
    ? `No summary: ${summary.why}.`
    : `The summary is based on the ${summary.saw} of the page.`;
}
