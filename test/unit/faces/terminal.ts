const ESCAPE = '\u001b';
/** A command to the terminal, or one character. */
const TOKEN = new RegExp(`${ESCAPE}\\[\\??(\\d*)([A-Za-z])|[^${ESCAPE}]`, 'gu');

/** Gives the rows that a terminal shows when it was sent this, without those at the end that are empty. It never scrolls. */
export function rowsOf(sent: string, columns = 80): string[] {
  const rows: string[] = [''];
  let [row, column] = [0, 0];
  for (const [token, count, command] of sent.matchAll(TOKEN)) {
    if (token === '\n') row += 1;
    // Where a terminal is not told otherwise, a line break is a return as well.
    if (token === '\n' || token === '\r') column = 0;
    else if (command === 'A') row -= Number(count || 1);
    else if (command === 'E') [row, column] = [row + Number(count || 1), 0];
    else if (command === 'G') column = Math.max(0, Number(count || 1) - 1);
    else if (command === 'K') rows[row] = '';
    else if (command === undefined) {
      if (column === columns) [row, column] = [row + 1, 0];
      const old = (rows[row] ?? '').padEnd(column);
      rows[row] = old.slice(0, column) + token + old.slice(column + 1);
      column += 1;
    }
    while (rows.length <= row) rows.push('');
  }
  while (rows.at(-1) === '') rows.pop();
  return rows;
}
