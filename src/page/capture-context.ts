import type { CDPSession, Locator, Page } from '@playwright/test';
import type { CaptureSettings, EncodedImage, RenderedHashes, ShownTexts, StructureRequest } from '../model/index.js';
import type { Stopwatch } from './browser/timing.js';
import type { Deadline } from './deadline.js';
import type { Network } from './network.js';
import type { PageClock } from './page-clock.js';
import type { PageStyles } from './page-styles.js';
import type { Stabilizers } from './stabilize/stabilizers.js';
import type { TakeParameters } from './story.js';
import type { SourceMaps } from './structure/source-maps.js';

/** The page, settings and services that one capture needs. */
export interface CaptureContext {
  readonly page: Page;
  /** The element to capture; null: the page. */
  readonly locator: Locator | null;
  /** Returns the CDP session of the page, which closes with it. In Chromium only. */
  readonly session: () => Promise<CDPSession>;
  readonly clock: PageClock;
  readonly settings: CaptureSettings;
  readonly stabilizers: Stabilizers;
  readonly pageStyles: PageStyles;
  readonly network: Network;
  readonly deadline: Deadline;
  readonly stopwatch: Stopwatch;
  /** What the next image may show of `texts`, the best first, and what the page had before its first image. */
  readonly texts: { expected: readonly (readonly ShownTexts[])[]; own: readonly ShownTexts[] | null };
  /** What the baseline has of the texts of its page; null: it is not known. */
  readonly knownTexts: RenderedHashes | null;
  readonly takeParameters: TakeParameters;
  readonly acceptsSolidColor: boolean;
  /** Checks whether an image is an expected one, such as the baseline or that of the load before: then no further one is taken. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** @throws ProofsheetError if the bytes are not an image */
  readonly readImage: (bytes: Buffer) => Promise<EncodedImage>;
  /** Asks for the structure of the page; null: it is not read. */
  readonly structure: StructureRequest | null;
  readonly sourceMaps: SourceMaps;
}
