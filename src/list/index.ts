/** A page list in YAML to its shots. Other folders import this door, and nothing behind it. */

export { type ImportedList, renderList, renderStoriesList, schemaComment } from './import/imported.js';
export { readImport, readStorybook } from './import/read-import.js';
export { fetchSitemap } from './import/sitemap.js';
export { adviseName, describeValue, renderFile, renderPosition, valueAt } from './issue.js';
export { readPlan } from './read-list.js';
export { resolveSettings } from './resolve/resolve-settings.js';
export { NO_CREDENTIALS, renderDroppedPath, resolveShot } from './resolve/resolve-shot.js';
export { renderAllowed, schemasAt } from './schema/json-schema.js';
export { readFields, readOptions, readStoryParameters } from './validate/check-list.js';
export { flattenIssues } from './validate/problems.js';
