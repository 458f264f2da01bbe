/** What is on disk or on the wire, and errors: all of it is for other folders. They import this door, and nothing behind it. */

export * from './attachments.js';
export * from './capture.js';
export * from './cause.js';
export * from './comparison.js';
export * from './environment.js';
export * from './errors.js';
export * from './image.js';
export * from './links.js';
export * from './list/defaults.js';
export * from './list/fields.js';
export * from './list/page-list.js';
export * from './list/rules.js';
export * from './list/settle.js';
export * from './plain-text.js';
export * from './reuse.js';
export * from './review.js';
export * from './run-record.js';
export * from './served-folder.js';
export * from './shot.js';
export * from './structure.js';
export * from './url.js';
export * from './words.js';
