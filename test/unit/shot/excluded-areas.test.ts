import { expect, test } from 'vitest';
import { comparedShare } from '../../../src/shot/excluded-areas.js';
import { createRandom } from '../image/paint.js';

const canvas = { width: 40, height: 30 };

test('the share that is compared is that of the pixels that no rectangle covers', () => {
  const random = createRandom(11);
  const within = (from: number, to: number) => from + Math.floor(random() * (to - from));
  for (let round = 0; round < 300; round++) {
    const areas = Array.from({ length: within(0, 9) }, () => {
      return { x: within(-10, 45), y: within(-10, 35), width: within(0, 20), height: within(0, 20) };
    });
    let left = 0;
    for (let x = 0; x < canvas.width; x++)
      for (let y = 0; y < canvas.height; y++)
        if (!areas.some((area) => x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height))
          left++;
    expect(comparedShare(areas, canvas), JSON.stringify(areas)).toBe(left / 1200);
  }
});

test('5,000 rectangles are summed in less than a second', () => {
  const size = { width: 1280, height: 20_000 };
  const areas = Array.from({ length: 5000 }, (_, row) => ({ x: row % 7, y: row * 4, width: 1000, height: 9 }));
  const start = performance.now();
  comparedShare(areas, size);
  expect(performance.now() - start).toBeLessThan(1000);
});
