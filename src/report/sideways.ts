import type { Rectangle } from '../model/image.js';
import type { ShotRecord } from '../model/record.js';

type ColumnShift = NonNullable<ShotRecord['columnShifts']>[number];

/** Where content that moved sideways is in after, and the columns beside it that came in, in after, and went out, in before. */
export interface SidewaysMove {
  readonly shift: ColumnShift;
  readonly after: Rectangle;
  readonly inserted: Rectangle;
  readonly removed: Rectangle;
}

/** Gives what moved sideways in a shot, as its record tells it. */
export function listSidewaysMoves({
  shifts,
  columnShifts,
}: Pick<ShotRecord, 'shifts' | 'columnShifts'>): SidewaysMove[] {
  return (columnShifts ?? []).map((shift) => {
    const { x, y, width, height, by } = shift;
    const down = shifts?.find((rows) => y >= rows.y && y < rows.y + rows.height)?.by ?? 0;
    const [behind, ahead] = by > 0 ? [x, x + width] : [x + width + by, x + by];
    return {
      shift,
      after: { x: x + by, y: y + down, width, height },
      inserted: { x: behind, y: y + down, width: Math.abs(by), height },
      removed: { x: ahead, y, width: Math.abs(by), height },
    };
  });
}
