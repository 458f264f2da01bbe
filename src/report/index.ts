/** A run record to text, Markdown and HTML. Other folders import this door, and nothing behind it. */

export {
  type ApprovalRequest,
  approvalRequestSchema,
  type RunSummary,
  runQuestionSchema,
  runSummarySchema,
  type ShotDetails,
  shotDetailsSchema,
  shotQuestionSchema,
} from './assistant.js';
export { passingTextOf } from './format/causes.js';
export {
  COMPARISON_WARNINGS,
  renderEnvironment,
  renderEnvironmentNotice,
  renderEnvironmentNotices,
} from './format/environment.js';
export { formatComparison, renderReason } from './format/reason.js';
export { isGreen, needsReview, renderTimings, renderVerdict } from './format/verdict.js';
export { linksOf, selectInline } from './html/inline-images.js';
export { renderHtml, renderPages } from './html/render-html.js';
export { quoteArgument } from './html/render-view.js';
export { MAX_CHARACTERS, renderMarkdown } from './markdown/render-markdown.js';
export { detailShot, renderText, summarizeRun } from './text/render-text.js';
