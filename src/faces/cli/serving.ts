import { InvalidArgumentError } from 'commander';

/** Waits until this process is asked to end. Asked before anybody is told that there is something to end. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Reads the number of a port. @throws InvalidArgumentError */
export function readPort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number, 0..65535.');
}

/** Gives what reads a number within bounds. */
export function readBetween(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number, ${least}..${most}.`);
  };
}

/** The same for what is counted. */
export function readCount(least: number, most: number): (value: string) => number {
  const read = readBetween(least, most);
  return (value) => {
    const number = read(value);
    if (Number.isInteger(number)) return number;
    throw new InvalidArgumentError('It must be a whole number.');
  };
}

/** Reads a host that may be captured though it is private; may be repeated. @throws InvalidArgumentError */
export function readAllowed(value: string, before: readonly string[] = []): string[] {
  if (/^[^/@]+:\d+$/.test(value) && URL.canParse(`http://${value}`)) return [...before, value.toLowerCase()];
  throw new InvalidArgumentError('It must be a host and a port, such as staging.example.com:443.');
}
