import { randomUUID } from 'node:crypto';
import { solidColor } from '../../image/index.js';
import { captureLink, withoutCredentials } from '../../model/index.js';
import { type AnalyzeV3, fieldsOf } from '../protocol/requests.js';
import { type AnalyzeResponse, analyzeResponseSchema, type PageContent } from '../protocol/responses.js';
import type { Call, CallContext } from '../service.js';
import { type Summary, summarize } from './language-model.js';
import { checkLinks, judgeQuality } from './quality.js';

/**
 * Captures a page and analyzes it. Equal requests return the cached response until it expires.
 *
 * @throws ProofsheetError if the page cannot be captured or the file cannot be stored.
 */
export async function analyze(request: AnalyzeV3, context: CallContext, call: Call): Promise<AnalyzeResponse> {
  const { forceRefresh, ...fields } = request;
  // The links in the response depend on the base URL of the request.
  const key = JSON.stringify([call.urlOf(''), fields]);
  const cached = forceRefresh ? undefined : context.answers?.get(key);
  if (cached !== undefined) return { ...analyzeResponseSchema.parse(JSON.parse(cached)), fromCache: true };
  const { answer, isComplete } = await analyzeNow(request, context, call);
  if (isComplete) context.answers?.set(key, JSON.stringify(answer));
  return answer;
}

async function analyzeNow(request: AnalyzeV3, context: CallContext, { signal, urlOf }: Call) {
  const { url, format, enableQuality, enableSummary } = request;
  const { captures, storage, languageModel } = context;
  const asked = { url, fields: fieldsOf(request), html: format === 'html' };
  const { capture, findings, html, warnings } = await captures.inspect(asked, enableQuality, signal);
  const { bytes, codec } = capture.image;
  const { content } = findings;
  const link = captureLink(url, randomUUID(), capture.takenAt, format === 'html' ? 'png' : format);
  const page = { url: withoutCredentials(url), text: content?.text ?? '' };
  // Language models take images but no PDF files.
  const image = codec === 'pdf' ? null : ({ bytes, type: `image/${codec}` } as const);
  const [links, summary] = await Promise.all([
    enableQuality ? checkLinks(content?.links ?? { total: 0, first: [] }, captures.fetch, signal) : null,
    enableSummary && languageModel ? summarize({ ...page, image }, languageModel, signal) : null,
    storage.put(link, bytes),
  ]);
  signal.throwIfAborted();
  const answer: AnalyzeResponse = {
    status: 'success',
    error: false,
    fetchTime: new Date(capture.takenAt).toISOString(),
    url: page.url,
    screenshot: { link: urlOf(link), ...capture.viewport, html },
    ...describeSummary(enableSummary, summary, content),
    topics: summary?.kind === 'written' && summary.topics.length > 0 ? [...summary.topics] : topicsOf(content),
    quality: links && judgeQuality(findings, (await solidColor(capture.image)) !== null, links),
    headings: content?.headings ?? { h1: [], h2: [], h3: [] },
    metadata: content?.metadata ?? {},
    fromCache: false,
    warnings: [...warnings],
  };
  // Do not cache the response after a model failure: the next request may succeed.
  return { answer, isComplete: summary?.kind !== 'failed' };
}

const NO_MODEL = 'no language model is configured (PROOFSHEET_AI_URL, PROOFSHEET_AI_MODEL, PROOFSHEET_AI_KEY)';

function describeSummary(isRequested: boolean, summary: Summary | null, content: PageContent | null) {
  const answer = (text: string | null, words: string) => ({ summary: text, message: `Analyzed. ${words}.` });
  if (!isRequested) return answer(null, 'No summary: not requested (`enableSummary`)');
  if (summary?.kind === 'written')
    return answer(summary.text, `The summary is based on the ${summary.saw} of the page`);
  if (summary) return answer(null, `No summary: ${summary.why}`);
  const description = content?.metadata.description ?? content?.metadata.openGraph.description ?? null;
  return description === null
    ? answer(null, `No summary: the page has no description, and ${NO_MODEL}`)
    : answer(description, `The summary is the description of the page: ${NO_MODEL}`);
}

const MAX_TOPICS = 10;

function topicsOf(content: PageContent | null): string[] {
  if (!content) return [];
  const { metadata, headings } = content;
  const keywords = (metadata.keywords ?? '').split(',').map((word) => word.trim());
  const named = keywords.filter((word) => word !== '');
  return [...new Set(named.length > 0 ? named : [...headings.h1, ...headings.h2])].slice(0, MAX_TOPICS);
}
