/** What the commands of tests have compiled, for those that come after. */
export const COMPILED: string;

/** Gives where the packed tool is installed beside a version of Playwright. */
export function installFolder(name: string): string;

/** Gives the packed tool. */
export function tarballPath(): string;

/** Installs the packed tool beside a version of Playwright. */
export function installBeside(name: string, playwright: string): Promise<void>;

/** Packs the tool and installs the tarball as a user would, beside the current version of Playwright. */
export default function installPackage(): Promise<void>;
