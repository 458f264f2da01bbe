import { type Environment, IMAGES_FOLDER } from '../model/index.js';

/** The run record, for programs. */
export const RESULTS_FILE = 'results.json';
/** The summary of the run, for a pull request. */
export const SUMMARY_FILE = 'summary.md';
/** The report, for a browser. */
export const INDEX_FILE = 'index.html';

/** The reporter's default output folder, next to the config. */
export const REPORT_FOLDER = 'proofsheet-report';
/** The folder for files that workers share during a run, in Playwright's output folder. */
export const OWN_FOLDER = '.proofsheet';
/** The folder for the locks of workers, in {@link OWN_FOLDER}. It has a subfolder per run. */
export const LOCKS_FOLDER = 'locks';

/** The top-level entries of a report folder. A folder with other entries must not be replaced. */
export const REPORT_ENTRIES: readonly string[] = [RESULTS_FILE, SUMMARY_FILE, INDEX_FILE, IMAGES_FOLDER];

/** The parts of an environment that affect how a page is drawn, except the scale, which the list sets for each viewport. */
type RenderingEnvironment = Pick<Environment, 'os' | 'arch' | 'browser' | 'browserVersion' | 'headless' | 'fonts'>;

/** Returns the name of the folder for the baselines of one environment: `linux-x64-chromium-141.0.7390.37-shell-3f2a9c1b04de`. */
export function environmentFolder(environment: RenderingEnvironment): string {
  const { os, arch, browser, browserVersion, headless, fonts } = environment;
  const parts = [os, arch, browser, browserVersion, headless, ...(fonts === null ? [] : [fonts])];
  return parts.join('-').replace(/[^\w.-]/g, '_');
}
