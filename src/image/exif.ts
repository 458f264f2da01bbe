/**
 * Tells whether a JPEG's Exif segment (APP1) says that its picture is to be turned by a quarter, to whichever side: then its
 * width is its height. Anything that cannot be read says nothing. CIPA DC-008, 4.6.4, tag Orientation.
 */
export function isQuarterTurned(app1: Buffer): boolean {
  if (app1.toString('latin1', 0, 6) !== 'Exif\0\0') return false;
  const tiff = app1.subarray(6);
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return false;
  const read16 = (at: number) =>
    at + 2 > tiff.length ? 0 : order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const start = tiff.length < 8 ? 0 : order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < read16(start); entry++) {
    const at = start + 2 + entry * 12;
    if (read16(at) === ORIENTATION) return read16(at + 8) >= 5 && read16(at + 8) <= 8;
  }
  return false;
}

const ORIENTATION = 0x0112;
