/** A page list in YAML to its shots. Other folders import this door, and nothing behind it. */

export { type ImportedList, renderList, renderStoriesList, schemaComment } from './import/imported.js';
export { importSitemap, readImport, readSitemap, readStorybook } from './import/read-import.js';
export { adviseName, describeValue, nearest, type Path, renderFile, renderPosition, valueAt } from './issue.js';
export { readPlan } from './read-list.js';
export { NO_CREDENTIALS } from './resolve/resolve-credentials.js';
export { resolveSettings, resolveShot } from './resolve/resolve-shot.js';
export { renderAllowed, schemasAt } from './schema/json-schema.js';
export { readFields, readOptions } from './validate/check-list.js';
export { flattenIssues } from './validate/problems.js';
