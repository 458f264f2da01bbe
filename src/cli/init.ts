import { type Command, Option } from 'commander';
import { type ImportSummary, type Initialized, initProject } from '../core/setup/init.js';

const EXAMPLES = `
Examples:
  proofsheet init
  proofsheet init --sitemap https://www.example.com/sitemap.xml
  proofsheet init --from backstop.json
  proofsheet init --from lostpixel.config.ts --allow-code

Another tool's list: a BackstopJS config, a Percy snapshot list, a Lost Pixel config, a list for shot-scraper multi. Comments in
the page list say what has no equivalent. A list that is JavaScript or TypeScript is only read with --allow-code: it then runs in a
process without network and environment variables that cannot write files. This is no sandbox for code you do not trust. No file is ever overwritten. Exit code: 0 written, 2 the page list could not be written.`;

/** Adds `proofsheet init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('write page list, spec and config, where there are none')
    .addOption(new Option('--sitemap <url>', 'the pages of a sitemap').conflicts('from'))
    .option('--from <file>', "another tool's list")
    .option('--allow-code', 'run the file of --from where it is JavaScript or TypeScript')
    .option('--lfs', 'write .gitattributes, so that Git LFS keeps the baselines')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(init);
}

interface InitFlags {
  readonly sitemap?: string;
  readonly from?: string;
  readonly allowCode?: true;
  readonly lfs?: true;
  readonly json?: true;
}

async function init({ sitemap, from, allowCode, lfs, json }: InitFlags): Promise<void> {
  const source = { sitemap: sitemap ?? null, from: from ?? null, allowCode: allowCode === true };
  const done = await initProject({ folder: process.cwd(), ...source, lfs: lfs === true });
  const isListKept = done.kept.some(({ path }) => path.endsWith('pages.yaml'));
  const answer = { status: isListKept ? 'refused' : 'success', error: isListKept, ...done };
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : renderInit(done, isListKept));
  process.exitCode = isListKept ? 2 : 0;
}

function renderInit({ written, kept, source, imported }: Initialized, isListKept: boolean): string {
  const list = written.find((path) => path.endsWith('pages.yaml'));
  const count = imported === null ? '' : `${countOf(imported.pages, 'page')} from `;
  const lines = [
    ...written.map((path) => `wrote ${path}${path === list ? ` (${count}${source})` : ''}`),
    ...kept.map(({ path, advice }) => `${path} is there already: ${advice}`),
    ...(list === undefined || imported === null ? [] : renderNotes(list, imported)),
    ...(isListKept ? [] : renderNext(list ?? 'the list', imported)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Maximum number of printed notes. The comments in the list contain all notes. */
const MAX_NOTES = 12;

function renderNotes(list: string, { notes }: ImportSummary): string[] {
  if (notes.length === 0) return ['', 'Every field was imported.'];
  const shown = notes.slice(0, MAX_NOTES).map(({ note, pages }) => {
    return `  ${oneLine(note)}${pages === null ? '' : ` (${countOf(pages, 'page')})`}`;
  });
  const more = notes.length > MAX_NOTES ? [`  and ${notes.length - MAX_NOTES} more`] : [];
  return ['', `Not imported, or different here (comments in ${list} say where):`, ...shown, ...more];
}

function renderNext(list: string, imported: ImportSummary | null): string[] {
  const steps = [
    ...(imported === null ? [`write your pages into ${list}, then`] : []),
    ...(imported?.needsBaseURL ? [`set baseURL in ${list}, then`] : []),
  ];
  return ['', ['Next:', ...steps].join(' '), ...COMMANDS];
}

function oneLine(note: string): string {
  const line = note.replace(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const COMMANDS = [
  '  npx playwright test --update-snapshots   # the first baselines',
  '  npx playwright test                      # from then on; npx proofsheet report shows what changed',
  'Keep proofsheet-report/ and test-results/ out of version control.',
];
