import { pullsSchema, type WorkflowRun } from '../../model/github.js';
import { type Answer, askGitHub, type GitHub } from './api.js';

/**
 * Finds the open pull request whose head is what a workflow ran for; null: there is none (any more). Only what GitHub
 * itself says of that run is asked for: a pull request's own artifact could name another one.
 */
export async function findPull(github: GitHub, repo: string, run: WorkflowRun): Promise<Answer<number | null>> {
  const { head_repository: head, head_branch: branch, head_sha: sha } = run;
  const query = new URLSearchParams({ state: 'open', per_page: '100', head: `${head.owner.login}:${branch}` });
  const answer = await askGitHub(github, { method: 'GET', path: `/repos/${repo}/pulls?${query}` }, pullsSchema);
  if (answer.kind === 'refused') return answer;
  const pull = answer.value.find((pull) => pull.head.sha === sha && pull.head.repo?.id === head.id);
  return { kind: 'answered', value: pull?.number ?? null, hasNext: false };
}
