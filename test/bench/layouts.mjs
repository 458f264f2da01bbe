import { renderCause } from '../../.build/report/causes.js';
import { DEJAVU, withFonts } from './environments.mjs';
import { htmlOf, LAYOUTS } from './layout-pages.mjs';
import { judgeRedrawn, observe } from './observe-page.mjs';
import { openBrowser } from './open-browser.mjs';
import { print } from './sample.mjs';

/** Compares pages with baselines of other fonts: a layout that only other fonts draw passes, and one that breaks is `changed`. */
const browsers = [await openBrowser('chromium'), await openBrowser('chromium', { env: withFonts('dejavu', DEJAVU) })];
const [baselinePage, page] = await Promise.all(browsers.map((browser) => browser.newPage()));
let [alarms, missed] = [0, 0];
for (const [name, layout] of Object.entries(LAYOUTS)) {
  await baselinePage.setContent(htmlOf(layout));
  const baseline = await observe(baselinePage);
  const same = await judge(baseline, htmlOf(layout));
  const broken = await judge(baseline, htmlOf(layout, layout.broken));
  if (same.kind !== 'redrawn') print(`  ALARM: ${name}: ${textOf(same)}`);
  print(broken.kind === 'changed' ? `  ${name}: ${textOf(broken)}` : `  NOT FOUND: ${name}`);
  alarms += Number(same.kind !== 'redrawn');
  missed += Number(broken.kind !== 'changed');
}
for (const browser of browsers) await browser.close();
print(
  `${Object.keys(LAYOUTS).length} layouts with other fonts: ${alarms} changed. The same, broken: ${missed} not found`,
);
if (alarms + missed > 0) process.exitCode = 1;

async function judge(before, html) {
  await page.setContent(html);
  return judgeRedrawn(before, await observe(page, before));
}

function textOf({ kind, causes = [] }) {
  return causes.map(renderCause).join('; ') || kind;
}
