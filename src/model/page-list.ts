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
import { nameFault, rule } from './rules.js';

/** The page list as a user writes it. Unknown keys are errors. */
export type PageListInput = z.infer<typeof pageListSchema>;
/** A page as a user writes it, in its long form. */
export type PageInput = z.infer<typeof pageSchema>;
/** The long form of an entry of `stories`, as a user writes it. */
export type StoriesInput = z.infer<typeof storiesSchema>;
/** Which stories `include` or `exclude` names, as a user writes it. */
export type StoryFilterInput = z.infer<typeof storyFilterSchema>;
export type ViewportInput = z.infer<typeof viewportSchema>;

const site = z.url({ protocol: /^https?$/ });

/** Schema of the long form of a page. */
export const pageSchema = pageFieldsSchema.extend({
  name: rule(z.string().trim().min(1).max(200), nameFault)
    .optional()
    .describe('Name of the page. Default: the path of its URL, or index for /.'),
  url: urlOrPathSchema.describe('URL, or path relative to baseURL.'),
  before: z
    .union([
      urlOrPathSchema,
      credentialsSchema.extend({ url: urlOrPathSchema.describe('URL, or path relative to the before site.') }),
    ])
    .optional()
    .describe(
      'Before page of a two-state run: a URL, or a path relative to the before site (otherwise baseURL). Default: the same path on the before site of the list.',
    ),
});

const storyFilter = z.union([
  z.string().min(1),
  z.strictObject({ tag: tagSchema.describe('A tag of stories in Storybook, such as visual.') }),
]);

const storyFilterSchema = z.union([...storyFilter.options, z.array(storyFilter).min(1)]);

const storiesSchema = pageFieldsSchema.extend({
  folder: z.string().min(1).describe('Folder of a built Storybook, relative to the list, such as ./storybook-static.'),
  baseURL: site
    .optional()
    .describe('URL under which this Storybook is served. Default: it is served from the folder during the run.'),
  include: storyFilterSchema
    .optional()
    .describe('Stories to capture: title patterns such as Forms/**, { tag: ... } or a list of them. Default: all.'),
  exclude: storyFilterSchema
    .optional()
    .describe('Stories to leave out: title patterns such as Forms/**, { tag: ... } or a list of them. Default: none.'),
});

const serveSchema = z.union([
  z.string().min(1),
  z.strictObject({
    folder: z.string().min(1).describe('Folder of a built site, relative to the list, such as ./dist.'),
    base: z
      .string()
      .regex(/^\/[^?#\s]*$/, 'a path such as /docs/')
      .optional()
      .describe('Path under which the files are served, such as /docs/. Default: /.'),
    fallback: z
      .string()
      .min(1)
      .optional()
      .describe('File of the folder that answers for every page without a file, such as index.html. Default: none.'),
  }),
]);

/** A folder that the run serves. */
export interface ServedFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Path of its files on the server, with a slash at both ends. */
  readonly base: string;
  /** The file that answers for every page without a file, relative to the folder; null: none. */
  readonly fallback: string | null;
}

const viewportSchema = z.union([
  z.strictObject({ width: widthSchema, height: heightSchema.nullable() }),
  z.strictObject({ device: z.string().min(1).describe('Playwright device name, such as iPhone 15.') }),
]);

/** Matches the keys at the top of a list that belong to the user, for YAML anchors. They are removed before validation. */
export const OWN_KEY = /^x-/;

const reuseSchema = z.union([
  z.boolean(),
  z.strictObject({
    verify: z
      .number()
      .min(0)
      .max(1)
      .describe('Share of the reusable shots that are captured all the same, 0 to 1, such as 0.05.'),
  }),
]);

/** How a run reuses earlier captures. `verify`: the share of the reusable shots that are captured all the same, 0..1. */
export type ReuseSettings = Readonly<Exclude<z.infer<typeof reuseSchema>, boolean>>;

const listSchema = z.strictObject({
  baseURL: site.optional().describe('Base URL of the pages. Default: use.baseURL of the Playwright config.'),
  serve: serveSchema
    .optional()
    .describe(
      'Folder of a built site that the run serves itself, such as ./dist, or a mapping with folder, base and fallback. Default: none; the pages have the baseURL.',
    ),
  before: z
    .union([site, credentialsSchema.extend({ url: site.describe('Base URL of the before pages.') })])
    .optional()
    .describe(
      'Compares this site (before) with baseURL (after) in a two-state run. Default: none; baselines are used.',
    ),
  viewports: z
    .record(z.string().min(1), viewportSchema)
    .optional()
    .describe('Named viewports, in each of which every page is captured. Default: one viewport without a name.'),
  modes: z
    .record(z.string().min(1), modeSchema)
    .optional()
    .describe(
      'Named modes, such as { light: {}, dark: { colorScheme: dark } }, in each of which every page is captured: any field of a page except viewports, states and base. Default: one mode without a name.',
    ),
  defaults: pageFieldsSchema
    .optional()
    .describe('Default fields of all pages: any field of a page except name, url and before.'),
  reuse: reuseSchema
    .optional()
    .describe(
      'Does not capture a page of serve or stories again whose files are those of an earlier capture that passed: true, or { verify: SHARE } to capture a share of these pages all the same. Default: false.',
    ),
  pages: z
    .array(z.union([urlOrPathSchema, pageSchema]))
    .min(1)
    .optional()
    .describe('Pages to capture; a string is the URL of a page. Required, unless the list has stories.'),
  stories: z
    .union([z.string().min(1), storiesSchema, z.array(z.union([z.string().min(1), storiesSchema])).min(1)])
    .optional()
    .describe('Built Storybooks, of which each story is a page: a folder, a mapping with folder, or a list of both.'),
});

/** Schema of a page list in YAML, after `${ENV}` is replaced. */
export const pageListSchema = listSchema.refine((list) => list.pages !== undefined || list.stories !== undefined, {
  path: ['pages'],
  // Reported together with the other problems of the list.
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
});
