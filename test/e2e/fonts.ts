import { execFileSync } from 'node:child_process';

/** The font that pages get for a family. */
export function fontOf(family: string): string {
  return execFileSync('fc-match', ['-f', '%{family[0]}', family], { encoding: 'utf8' });
}

/** A configuration of fontconfig without a font, for `FONTCONFIG_FILE`. */
export function withoutFont(font: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern><patelt name="family"><string>${font}</string></patelt></pattern></rejectfont></selectfont></fontconfig>`;
}
