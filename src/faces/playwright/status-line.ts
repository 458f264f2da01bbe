/** A line at the bottom of a terminal that others write to as well. */
export interface StatusLine {
  show(text: string): void;
  /** Takes the line away for good. */
  close(): void;
}

/** What of a stream is needed here. */
export type Screen = Pick<NodeJS.WriteStream, 'write'>;

/**
 * Opens a status line. Whatever else is written to these streams stands as if the line was not there: it is erased before,
 * and drawn again when the cursor is at the beginning of a line. So Playwright's `list` and `line` keep their place, which
 * they find by counting lines, and where `dot` is in the middle of its line, nothing is drawn.
 *
 * @param screen where the line is drawn
 * @param streams all that is shown on the same terminal, the screen among them
 */
export function openStatusLine(screen: Screen, streams: readonly Screen[]): StatusLine {
  const draw = screen.write.bind(screen);
  let [text, isDrawn, isFree] = ['', false, true];
  let soon: NodeJS.Immediate | undefined;
  const erase = () => {
    if (isDrawn) draw('\r\u001b[2K');
    isDrawn = false;
  };
  const redraw = () => {
    soon = undefined;
    if (!isFree || text === '') return;
    erase();
    draw(text);
    isDrawn = true;
  };
  const restorings = streams.map((stream) => {
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      erase();
      const told = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1');
      if (told !== '') isFree = leavesLineStart(told);
      soon ??= setImmediate(redraw);
      return Reflect.apply(write, stream, [chunk, ...rest]);
    };
    return () => {
      stream.write = write;
    };
  });
  return {
    show(next) {
      text = next;
      soon ??= setImmediate(redraw);
    },
    close() {
      clearImmediate(soon);
      text = '';
      erase();
      for (const restore of restorings) restore();
    },
  };
}

/** Tells whether a text leaves the cursor at the beginning of a line: by a line break, or by going down to one. */
function leavesLineStart(text: string): boolean {
  const command = text.slice(text.lastIndexOf('\u001b['));
  return text.endsWith('\n') || /^.\[\d*E$/.test(command);
}
