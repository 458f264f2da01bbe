import { resolve } from 'node:path';
import { readRun } from '../baselines/index.js';
import { engineVersion } from '../compare/index.js';
import { DEFAULTS, differingParts, type Environment, nameShot, type ShotRecord } from '../model/index.js';
import { openBrowser, readBrowserEnvironment } from '../page/index.js';
import type { Project } from '../run/index.js';

/** A part of the environment that differs, of a report (`from`) and of this machine (`to`), and how to align it. */
export interface Misalignment extends Readonly<Record<'from' | 'to' | 'advice', string>> {
  readonly part: keyof Environment;
}

/** How to align each part, in the order of how many pixels it moves. @param there - the environment of the report */
const ADVICE: Readonly<Record<keyof Environment, (there: Environment) => string>> = {
  browser: ({ browser }) => `Set "browserName: '${browser}'" in the Playwright config.`,
  fonts: () => 'Install the same font packages, or run both in the same container image.',
  scale: ({ scale }) => `Set "deviceScaleFactor: ${scale}" in the Playwright config or the viewport.`,
  os: ({ os }) => `Run on ${os}, in the same container image as the report.`,
  browserVersion: () => 'Install the same Playwright version, or update the baselines with: npx proofsheet upgrade.',
  headless: () => 'Set "headless" and "channel" as in the config of the report.',
  drawing: () => 'Use the same flags in "launchOptions.args", and the same hinting in the config of fontconfig.',
  arch: ({ arch }) => `Run on ${arch}, or use a container image of that architecture.`,
  driver: ({ driver }) =>
    driver === 'frames'
      ? 'Install the headless shell of Chromium: npx playwright install --only-shell chromium.'
      : 'Remove the headless shell from the config: the report is of a plain browser.',
  engine: () => 'Install the same version of proofsheet, and set the same "engine".',
};

/** Parts that follow from the config, so that only a run here knows them. */
const OF_RUN: readonly (keyof Environment)[] = ['scale', 'headless', 'driver', 'drawing', 'engine'];

/**
 * Compares the environment of a report with this machine: with its browser, and with its last run as far as the config decides.
 *
 * @param report - the folder of the report
 * @throws ProofsheetError if the report or the browser is missing
 */
export async function compareEnvironment(report: string, { folder }: Pick<Project, 'folder'>): Promise<Misalignment[]> {
  const there = await readRun(resolve(report));
  const last = await readRun(folder).catch(() => null);
  const { environment } = await readLocalEnvironment();
  return listMisalignments(there.shots, environment, last?.shots ?? []);
}

/** Launches the browser that a run uses, and reads its environment. @throws ProofsheetError `browser-missing` */
export async function readLocalEnvironment(): Promise<{ environment: Environment; notice: string | null }> {
  const { browser, choice } = await openBrowser();
  try {
    const drawing = await readBrowserEnvironment(browser, 1);
    return { environment: { ...drawing, engine: engineVersion(DEFAULTS.engine) }, notice: choice.notice };
  } finally {
    await browser.close();
  }
}

type Captured = Pick<ShotRecord, 'id' | 'project' | 'environment'>;

/** Lists the parts that differ in any shot, those that move most pixels first. */
export function listMisalignments(
  there: readonly Captured[],
  local: Environment,
  lastRun: readonly Captured[],
): Misalignment[] {
  const mine = new Map(lastRun.map((shot) => [nameShot(shot), shot.environment]));
  const found = new Map<keyof Environment, Misalignment>();
  for (const { environment, ...shot } of there) {
    if (!environment) continue;
    const own = mine.get(nameShot(shot));
    // The browser and the fonts may have been upgraded since the last run.
    const { os, arch, browser, browserVersion, fonts } = local;
    const here = own?.browser === browser ? { ...own, os, arch, browserVersion, fonts } : (own ?? local);
    for (const part of differingParts(environment, here)) {
      if (found.has(part) || (!own && OF_RUN.includes(part))) continue;
      const [from, to] = [environment, here].map((one) => `${one[part] ?? 'plain'}`);
      found.set(part, { part, from: from ?? '', to: to ?? '', advice: ADVICE[part](environment) });
    }
  }
  const order = Object.keys(ADVICE);
  return [...found.values()].toSorted((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
}
