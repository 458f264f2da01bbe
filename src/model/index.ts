/** What is on disk or on the wire, and errors: all of it is for other folders. They import this door, and nothing behind it. */

export * from './capture.js';
export * from './comparison.js';
export * from './environment.js';
export * from './errors.js';
export * from './image.js';
export * from './page-fields.js';
export * from './page-list.js';
export * from './problem-schemas.js';
export * from './rules.js';
export * from './run-record.js';
export * from './shot.js';
export * from './text.js';
