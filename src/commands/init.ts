import { renderCountOf } from '../model/index.js';
import { command } from './command.js';
import { JSON_FLAG } from './flags.js';
import { type ImportSummary, INIT_FLAGS, type Initialized, initProject } from './init-project.js';

export const init = command({
  name: 'init',
  description: 'write a page list, a spec and a config, unless they exist',
  flags: { ...INIT_FLAGS, ...JSON_FLAG },
  help: `  proofsheet init
  proofsheet init --sitemap https://www.example.com/sitemap.xml
  proofsheet init --from backstop.json
  proofsheet init --from lostpixel.config.ts --allow-code
  proofsheet init --storybook storybook-static

--from reads a BackstopJS config, a Percy snapshot list, a Lost Pixel config or a list for shot-scraper multi. Comments in the page
list name the settings without an equivalent.

--allow-code runs a JavaScript or TypeScript config in a separate process, with your rights. Do not run code that you do not trust.

Existing files are not changed, except .gitignore: the output of a run is added to it.
Exit code: 0 written or already complete, 2 an existing file is not complete and nothing was written, or the import failed.`,
  async run(flags) {
    const done = await initProject(process.cwd(), flags);
    const isRefused = needsWork(done);
    const kept = done.kept.map(({ path, advice }) => ({ path, advice }));
    return {
      json: { ...done, kept },
      text: renderInit(done, isRefused),
      failure: isRefused ? 'refused' : null,
    };
  },
});

/** Checks whether the wanted list was not written, or nothing was written and an existing file is not complete. */
function needsWork({ written, kept }: Initialized): boolean {
  const incomplete = kept.filter(({ isComplete }) => !isComplete);
  return incomplete.some(({ path }) => path.endsWith('pages.yaml')) || (written.length === 0 && incomplete.length > 0);
}

function renderInit({ written, kept, ignored, config, source, imported }: Initialized, isRefused: boolean): string {
  const list = written.find((path) => path.endsWith('pages.yaml'));
  const count = imported === null ? '' : `${renderCountOf(imported.pages, 'page')} from `;
  const lines = [
    ...written.map((path) => `wrote ${path}${path === list ? ` (${count}${source})` : ''}`),
    ...kept.map(({ path, advice }) => `${path} already exists: ${advice}`),
    ...(ignored === null || ignored.length === 0 ? [] : [`added to .gitignore: ${ignored.join(', ')}`]),
    ...(list === undefined || imported === null ? [] : renderNotes(list, imported)),
    ...(written.length === 0 && !isRefused ? ['Everything is already there. Nothing was written.'] : []),
    ...(isRefused ? [] : renderNext(list ?? 'the list', config, imported)),
    ...(isRefused || ignored !== null ? [] : ['Add proofsheet-report/ and test-results/ to .gitignore.']),
  ];
  return `${lines.join('\n')}\n`;
}

/** Maximum number of printed notes. The comments in the list contain all notes. */
const MAX_NOTES = 12;

function renderNotes(list: string, { notes }: ImportSummary): string[] {
  if (notes.length === 0) return ['', 'All settings were imported.'];
  const shown = notes.slice(0, MAX_NOTES).map(({ note, pages }) => {
    return `  ${oneLine(note)}${pages === null ? '' : ` (${renderCountOf(pages, 'page')})`}`;
  });
  const more = notes.length > MAX_NOTES ? [`  and ${notes.length - MAX_NOTES} more`] : [];
  return ['', `Not imported, or imported with a different meaning (see the comments in ${list}):`, ...shown, ...more];
}

function renderNext(list: string, config: string | null, imported: ImportSummary | null): string[] {
  const steps = [
    ...(imported === null ? [`add your pages to ${list}, then run:`] : []),
    ...(imported?.needsBaseURL ? [`set baseURL in ${list}, then run:`] : []),
  ];
  const flag = config === null || /^playwright\.config\.\w+$/.test(config) ? '' : ` -c ${config}`;
  return [
    ...['', ['Next:', ...steps].join(' ')],
    `  npx playwright test${flag} --update-snapshots   # writes the first baselines`,
    `  npx playwright test${flag}                      # compares with the baselines`,
  ];
}

function oneLine(note: string): string {
  const line = note.replace(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
