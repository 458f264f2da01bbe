import { type Command, Option } from 'commander';
import { type Initialised, initProject } from '../../core/init.js';

const EXAMPLES = `
Examples:
  proofsheet init
  proofsheet init --sitemap https://www.example.com/sitemap.xml
  proofsheet init --from backstop.json

Another tool's list: a BackstopJS config, a Percy snapshot list, a Lost Pixel config, a list for shot-scraper multi. Comments in
the page list say what has no equivalent. No file is ever overwritten. Exit code: 0 written, 2 the page list could not be written.`;

/** Adds `proofsheet init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('write page list, spec and config, where there are none')
    .addOption(new Option('--sitemap <url>', 'the pages of a sitemap').conflicts('from'))
    .option('--from <file>', "another tool's list")
    .option('--lfs', 'write .gitattributes, so that Git LFS keeps the baselines')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(init);
}

interface InitFlags {
  readonly sitemap?: string;
  readonly from?: string;
  readonly lfs?: true;
  readonly json?: true;
}

async function init({ sitemap, from, lfs, json }: InitFlags): Promise<void> {
  const source = { sitemap: sitemap ?? null, from: from ?? null };
  const done = await initProject({ folder: process.cwd(), ...source, lfs: lfs === true });
  const isListKept = done.kept.some(({ path }) => path.endsWith('pages.yaml'));
  const answer = { status: isListKept ? 'refused' : 'success', error: isListKept, ...done };
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : renderInit(done, isListKept));
  process.exitCode = isListKept ? 2 : 0;
}

function renderInit({ written, kept, source }: Initialised, isListKept: boolean): string {
  const lines = [
    ...written.map((path) => `wrote ${path}${path.endsWith('pages.yaml') ? ` (${source})` : ''}`),
    ...kept.map(({ path, advice }) => `${path} is there already: ${advice}`),
    ...(isListKept ? [] : NEXT),
  ];
  return `${lines.join('\n')}\n`;
}

const NEXT = [
  '',
  'Next: write your pages into the list, then',
  '  npx playwright test --update-snapshots   # the first baselines',
  '  npx playwright test                      # from then on; proofsheet report shows what changed',
  'Keep proofsheet-report/ and test-results/ out of version control.',
];
