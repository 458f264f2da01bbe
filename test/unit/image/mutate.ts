/** Damages a file in one of the ways in which files are damaged; the same numbers give the same damage. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  const way = WAYS[Math.floor(random() * WAYS.length)];
  return way ? way(bytes, random) : bytes;
}

type Way = (bytes: Buffer, random: () => number) => Buffer;

const WAYS: readonly Way[] = [
  // A bit tips over.
  (bytes, random) => withByte(bytes, at(bytes, random), (value) => value ^ (1 << Math.floor(random() * 8))),
  // A few bytes are others, mostly among the first.
  (bytes, random) => {
    const bad = Buffer.from(bytes);
    for (let i = 0; i < 4; i++) bad[Math.floor(random() ** 3 * bad.length)] = random() * 256;
    return bad;
  },
  // A number is the largest there is, or the smallest.
  (bytes, random) => {
    const bad = Buffer.from(bytes);
    const value = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fff, 0xffff][Math.floor(random() * 7)] ?? 0;
    const place = Math.min(Math.floor(random() ** 2 * bad.length), bad.length - 4);
    if (random() < 0.5) bad.writeUInt32BE(value, place);
    else bad.writeUInt32LE(value, place);
    return bad;
  },
  // The file is cut off.
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // A piece is missing.
  (bytes, random) => {
    const place = at(bytes, random);
    return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + Math.floor(random() * 200))]);
  },
  // A piece is there twice.
  (bytes, random) => {
    const place = at(bytes, random);
    return Buffer.concat([bytes.subarray(0, place + Math.floor(random() * 200)), bytes.subarray(place)]);
  },
  // A piece is zeros, as after a crash of the disk.
  (bytes, random) => Buffer.from(bytes).fill(0, at(bytes, random), at(bytes, random)),
  // Digits of a text are others.
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const digit = random();
    return Buffer.from(
      text.replace(/\d/g, (old) => (random() < 0.02 ? `${Math.floor(digit * 10)}` : old)),
      'latin1',
    );
  },
];

function at(bytes: Buffer, random: () => number): number {
  return Math.floor(random() * bytes.length);
}

function withByte(bytes: Buffer, index: number, change: (value: number) => number): Buffer {
  const bad = Buffer.from(bytes);
  bad[index] = change(bad[index] ?? 0);
  return bad;
}
