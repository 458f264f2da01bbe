// Loaded before anything else by every command that a test starts: hundreds of them compile the same megabytes of Playwright,
// which is more than half of what they cost. What was compiled once is kept, and taken only where V8 finds that it fits.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const vm = require('node:vm');

const FOLDER = process.env.E2E_COMPILE_CACHE;
const LARGE = 50_000;

const compile = Module.prototype._compile;
Module.prototype._compile = function (content, filename) {
  const isPlaywright = /[\\/]node_modules[\\/]playwright/.test(filename);
  // What is imported within `eval` is not, where the code around it was not compiled anew.
  if (!FOLDER || !isPlaywright || content.length < LARGE || content.includes('eval(`import(')) {
    return compile.call(this, content, filename);
  }
  const kept = join(FOLDER, createHash('sha1').update(process.version).update(content).digest('hex'));
  const script = new vm.Script(Module.wrap(content), {
    filename,
    cachedData: existsSync(kept) ? readFileSync(kept) : undefined,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  // At the end, so that it holds the functions that were called as well.
  if (script.cachedDataRejected !== false) process.once('exit', () => keep(kept, script.createCachedData()));
  const run = script.runInThisContext();
  return run.call(this.exports, this.exports, Module.createRequire(filename), this, filename, dirname(filename));
};

/** As a whole: another command may read it at this moment. */
function keep(path, data) {
  if (existsSync(path)) return;
  mkdirSync(FOLDER, { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, data);
  renameSync(own, path);
}
