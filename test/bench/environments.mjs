import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root } from '../../scripts/run.mjs';

/** Installs an earlier Chromium from npm, once, and returns the path of its executable. */
export async function bringChromium(version) {
  const place = join(root, '.tmp', 'machines', `chromium-${version}`);
  const executable = join(place, 'tmp', 'chromium');
  if (existsSync(executable)) return executable;
  mkdirSync(join(place, 'tmp'), { recursive: true });
  const spec = `@sparticuz/chromium@${version}`;
  await mustRun('npm', ['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', '--silent', spec]);
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  await mustRun(process.execPath, ['-e', script], { cwd: place, env: { ...process.env, TMPDIR: join(place, 'tmp') } });
  return executable;
}

/** The config of DejaVu fonts, without any others. */
export const DEJAVU = '<dir>/usr/share/fonts/truetype/dejavu</dir>';

/** Returns the variables of a browser with other fonts. @param config - elements of fontconfig */
export function withFonts(name, config) {
  const folder = join(root, '.tmp', 'machines');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.conf`);
  const cache = `<cachedir>${join(folder, `${name}-cache`)}</cachedir>`;
  const head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  writeFileSync(path, `${head}<fontconfig>${config}${cache}</fontconfig>\n`);
  return { ...process.env, FONTCONFIG_FILE: path };
}

/** The config of all fonts, drawn in another way. @param style - of hints, such as `hintfull` @param rgba - `none`, or `rgb` for LCD text */
export function hinting(style, rgba) {
  const values = { hinting: '<bool>true</bool>', hintstyle: `<const>${style}</const>`, rgba: `<const>${rgba}</const>` };
  const edits = Object.entries(values).map(([name, value]) => `<edit name="${name}" mode="assign">${value}</edit>`);
  const matches = ['pattern', 'font'].map((target) => `<match target="${target}">${edits.join('')}</match>`);
  return `<include>/etc/fonts/fonts.conf</include>${matches.join('')}`;
}
