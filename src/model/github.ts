import { z } from 'zod';

/** A comment, as far as it is read; there is more in GitHub's answers. */
export const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});

/** A page of the comments of a thread. */
export const commentsSchema = z.array(commentSchema);

/** The pull requests of a repository, as far as it takes to know one by its head. */
export const pullsSchema = z.array(
  z.object({
    number: z.int().min(1),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullable() }),
  }),
);

/** The event that a workflow was started by; only those two kinds have to do with a pull request. */
export const eventSchema = z.object({
  pull_request: z.object({ number: z.int().min(1), head: z.object({ sha: z.string() }) }).optional(),
  workflow_run: z
    .object({
      head_sha: z.string(),
      head_branch: z.string(),
      head_repository: z.object({ id: z.int(), owner: z.object({ login: z.string() }) }),
      html_url: z.url(),
    })
    .optional(),
});

/** See {@link commentSchema}. */
export type Comment = z.infer<typeof commentSchema>;
/** See {@link eventSchema}. */
export type GitHubEvent = z.infer<typeof eventSchema>;
/** A finished run of a workflow, as the event of another one tells it. */
export type WorkflowRun = NonNullable<GitHubEvent['workflow_run']>;

/** Which run is written into which comment. */
export interface CommentSettings {
  /** The folder of the report. */
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  /** Null: that of the event which started the workflow. */
  readonly pull: number | null;
  readonly name: string;
  readonly author: string;
}

/** What became of a comment. */
export type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' }
  | { readonly kind: 'refused'; readonly why: string };

/** Writes the summary of a run into its pull request. `notes`: what the user should know in addition. */
export type PostComment = (
  settings: CommentSettings,
  env: NodeJS.ProcessEnv,
) => Promise<{ readonly result: CommentResult; readonly notes: readonly string[] }>;
