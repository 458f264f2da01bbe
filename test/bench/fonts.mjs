import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

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
