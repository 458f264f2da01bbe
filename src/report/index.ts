/** A run record to text, Markdown and HTML. Other folders import this door, and nothing behind it. */

export * from './assistant.js';
export { causeKeyOf, passingTextOf } from './causes.js';
export { inReviewOrder, listPictured, renderStatus } from './changes.js';
export * from './environment.js';
export { groupBy } from './group-by.js';
export { linksOf } from './links.js';
export { renderChangeSummary, renderComparison, renderReason } from './reason.js';
export { type RepositoryPlace, renderAnnotations } from './render-annotations.js';
export { renderHtml } from './render-html.js';
export { type ChangePictures, renderMarkdown } from './render-markdown.js';
export * from './render-review.js';
export { MAX_LINES, renderText } from './render-text.js';
export { isGreen, needsReview, renderTimings, renderVerdict } from './verdict.js';
export { chooseCardImage, createView, MAX_INLINE_BYTES, renderTime, type Thumbnail } from './view.js';
