import { z } from 'zod';
import {
  credentialsSchema,
  heightSchema,
  modeSchema,
  pageFieldsSchema,
  tagSchema,
  urlOrPathSchema,
  widthSchema,
} from './page-fields.js';
import { nameFault, optional, rule } from './rules.js';

/** The parts of a page list as a user writes them; a page and an entry of `stories` in their long form. */
export type PageListInput = z.infer<typeof pageListSchema>;
export type PageInput = z.infer<typeof pageSchema>;
export type StoriesInput = z.infer<typeof storiesSchema>;
export type StoryFilterInput = z.infer<typeof storyFilterSchema>;
export type ViewportInput = z.infer<typeof viewportSchema>;

const site = z.url({ protocol: /^https?$/ });
const text = z.string().min(1);

export const pageSchema = pageFieldsSchema.extend({
  name: optional(
    rule(z.string().trim().min(1).max(200), nameFault),
    'Name of the page. Default: the path of its URL, or index for /.',
  ),
  url: urlOrPathSchema.describe('URL, or path relative to baseURL.'),
  before: optional(
    z.union([
      urlOrPathSchema,
      credentialsSchema.extend({ url: urlOrPathSchema.describe('URL, or path relative to the before site.') }),
    ]),
    'Before page of a two-state run: a URL, or a path. Default: the same path on the before site.',
  ),
});

const storyFilter = z.union([text, z.strictObject({ tag: tagSchema.describe('A tag of stories, such as visual.') })]);

const storyFilterSchema = z.union([...storyFilter.options, z.array(storyFilter).min(1)]);

const storiesSchema = pageFieldsSchema.extend({
  folder: text.describe('Folder of a built Storybook, relative to the list, such as ./storybook-static.'),
  baseURL: optional(site, 'URL of this Storybook. Default: the run serves the folder.'),
  include: optional(
    storyFilterSchema,
    'Stories to capture: title patterns such as Forms/**, or { tag: ... }. Default: all.',
  ),
  exclude: optional(storyFilterSchema, 'Stories to leave out, as in include. Default: none.'),
});

const serveSchema = z.union([
  text,
  z.strictObject({
    folder: text.describe('Folder of a built site, relative to the list, such as ./dist.'),
    base: optional(
      z.string().regex(/^\/[^?#\s]*$/, 'a path such as /docs/'),
      'Path of the files, such as /docs/. Default: /.',
    ),
    fallback: optional(text, 'File for every page without a file, such as index.html. Default: none.'),
  }),
]);

export interface ServedFolder {
  readonly folder: string;
  /** Path of its files on the server, with a slash at both ends. */
  readonly base: string;
  /** The file that answers for every page without a file, relative to the folder; null: none. */
  readonly fallback: string | null;
}

const viewportSchema = z.union([
  z.strictObject({ width: widthSchema, height: heightSchema.nullable() }),
  z.strictObject({ device: text.describe('Playwright device name, such as iPhone 15.') }),
]);

/** Matches the keys at the top of a list that belong to the user, for YAML anchors. They are removed before validation. */
export const OWN_KEY = /^x-/;

const reuseSchema = z.union([
  z.boolean(),
  z.strictObject({ verify: z.number().min(0).max(1).describe('Share of reusable shots to capture, such as 0.05.') }),
]);

/** How a run reuses earlier captures. `verify`: the share of the reusable shots that are captured all the same, 0..1. */
export type ReuseSettings = Readonly<Exclude<z.infer<typeof reuseSchema>, boolean>>;

const listSchema = z.strictObject({
  baseURL: optional(site, 'Base URL of the pages. Default: use.baseURL of the Playwright config.'),
  serve: optional(
    serveSchema,
    'Folder of a built site that the run serves, such as ./dist, or { folder, base, fallback }. Default: none.',
  ),
  before: optional(
    z.union([site, credentialsSchema.extend({ url: site.describe('Base URL of the before pages.') })]),
    'Compares this site (before) with baseURL (after). Default: none; baselines are used.',
  ),
  viewports: optional(
    z.record(text, viewportSchema),
    'Named viewports of every page. Default: one viewport without a name.',
  ),
  modes: optional(
    z.record(text, modeSchema),
    'Named modes of every page, such as { light: {}, dark: { colorScheme: dark } }. Default: one mode without a name.',
  ),
  defaults: optional(pageFieldsSchema, 'Default fields of all pages: any field of a page except name, url and before.'),
  reuse: optional(
    reuseSchema,
    'Does not capture pages of serve or stories again whose files did not change: true, or { verify: SHARE } to check a share of them. Default: false.',
  ),
  pages: optional(
    z.array(z.union([urlOrPathSchema, pageSchema])).min(1),
    'Pages to capture, such as [/]. Required, unless the list has stories.',
  ),
  stories: optional(
    z.union([text, storiesSchema, z.array(z.union([text, storiesSchema])).min(1)]),
    'Built Storybooks, of which each story is a page: folders, or mappings with folder.',
  ),
});

/** Schema of a page list in YAML, after `${ENV}` is replaced. */
export const pageListSchema = listSchema.refine((list) => list.pages !== undefined || list.stories !== undefined, {
  path: ['pages'],
  // Reported together with the other problems of the list.
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
});
