export { countSmoothed, markDifferent } from './differ';
export { hashRows } from './hash';
export { endOfInflated, inflate, sizeOfTables, startInflate } from './inflate';
export { shadePixels } from './shade';
export { startRows, unfilterRows } from './unfilter';
