// Posts what a pull request's own job has compared, or updates the comment that stands there. This job may write, so
// everything that the other one made is hostile: the number comes from GitHub, and the text is made again from data.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, get, pagesOf, send } from './hub.mjs';
import { annotate, environment, readEvent, Stop, workFolder } from './job.mjs';
import { vade } from './vade.mjs';
import { fileOf } from './zip.mjs';

const ARTIFACT = 'vade-comparison';
const MOST_PACKED = 2 * 1024 * 1024;
const MOST_UNPACKED = 8 * 1024 * 1024;
const MOST_CHARACTERS = 65_536;
const MARKER = '<!-- vade comment -->';
const BOT = 'github-actions[bot]';

export function run() {
  const workflow = runOf(readEvent());
  const repository = repositoryOf(environment('GITHUB_REPOSITORY'));
  const pull = pullOf(repository, workflow);
  if (pull === null) {
    annotate('notice', 'no comment', 'no open pull request has this commit as its newest: there may be a newer one');
    return 0;
  }
  const packed = artifactOf(repository, workflow);
  if (packed === null) {
    annotate('notice', 'no comment', `the run has no artifact ${ARTIFACT}`);
    return 0;
  }
  const comparison = fileOf(packed, 'comparison.json', MOST_UNPACKED);
  const text = markdownOf(comparison);
  checkCommits(repository, { ...pull, head: workflow.commit }, JSON.parse(comparison).data);
  const more = `\nThe whole report is an artifact of [the run](${serverOf()}/${repository}/actions/runs/${workflow.id}).\n`;
  post(repository, pull.number, text.length + more.length <= MOST_CHARACTERS ? text + more : text);
  return 0;
}

/** The run that has ended, as GitHub describes it. For a fork `pull_requests` is empty, so it is not looked at. */
function runOf({ workflow_run: it }) {
  const { id, event, head_branch: branch, head_sha: commit, head_repository: from } = it ?? {};
  const isRun = Number.isSafeInteger(id) && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit) && typeof branch === 'string';
  if (!isRun || event !== 'pull_request' || !from)
    throw new Stop('event_invalid', 'the event is of no run of a pull request');
  return { id, branch, commit, owner: from.owner.login, repository: repositoryOf(from.full_name) };
}

function repositoryOf(name) {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) throw new Stop('event_invalid', 'the event names no repository');
  return name;
}

const serverOf = () => environment('GITHUB_SERVER_URL') || 'https://github.com';

/** The pull request that the run was for, and the commit of its base; null if it is closed, or has a newer commit. */
function pullOf(repository, { owner, branch, commit, repository: from }) {
  const head = encodeURIComponent(`${owner}:${branch}`);
  const own = [...pagesOf(`repos/${repository}/pulls?state=open&head=${head}`)].filter(
    (it) => it.head.sha === commit && it.head.ref === branch && it.head.repo?.full_name === from,
  );
  if (own.length > 1) throw new Stop('ambiguous', `${own.length} pull requests have this branch and commit`);
  return own[0] ? { number: own[0].number, base: own[0].base.sha } : null;
}

/** The artifact as it was packed; its size is asked before it is read. */
function artifactOf(repository, { id }) {
  const { artifacts } = get(`repos/${repository}/actions/runs/${id}/artifacts?name=${ARTIFACT}&per_page=2`);
  const found = artifacts.find((it) => it.name === ARTIFACT && !it.expired);
  if (!found) return null;
  if (!(found.size_in_bytes <= MOST_PACKED))
    throw new Stop('artifact_invalid', `the artifact has more than ${MOST_PACKED} bytes`);
  return bytesOf(`repos/${repository}/actions/artifacts/${found.id}/zip`, MOST_PACKED + 1024);
}

/** The comment, made by this job: `vade comment` checks the data, and every text of it becomes a code span. */
function markdownOf(comparison) {
  const file = join(workFolder(), 'comparison.json');
  writeFileSync(file, comparison);
  const { status, stdout } = vade(['comment', '--comparison', file, '--format', 'markdown']);
  const isComment = status === 0 && stdout.startsWith(MARKER) && stdout.length <= MOST_CHARACTERS;
  if (!isComment) throw new Stop('artifact_invalid', 'the artifact is not a comparison: see the log');
  return stdout;
}

/**
 * The comparison names the commits that it compares; GitHub says which they can be. A job of a pull request compiles
 * the newest commit of the branch, or its merge with the base, and compares it with a commit of the base.
 */
function checkCommits(repository, pull, { base, head }) {
  if (head !== null && !isOfHead(repository, pull, head.commit))
    throw new Stop('artifact_invalid', 'the head of the comparison is not a commit of this pull request');
  if (base.commit !== pull.base && !isOfBase(repository, pull, base.commit))
    throw new Stop('artifact_invalid', 'the base of the comparison is not a commit of this pull request’s base');
}

function isOfHead(repository, { head }, commit) {
  if (commit === head) return true;
  const parents = known(() => get(`repos/${repository}/commits/${commit}`).parents) ?? [];
  return parents.length === 2 && parents[1].sha === head;
}

function isOfBase(repository, { base }, commit) {
  const status = known(() => get(`repos/${repository}/compare/${commit}...${base}?per_page=1`).status);
  return status === 'ahead' || status === 'identical';
}

/** The answer of GitHub; null for a commit that it does not have. */
function known(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
}

/** One comment for a pull request: the first that begins with the marker and that this bot wrote. */
function post(repository, number, body) {
  const isOwn = ({ user, body: text }) => user?.login === BOT && user.type === 'Bot' && text?.startsWith(MARKER);
  const comments = `repos/${repository}/issues/${number}/comments`;
  for (const it of pagesOf(comments)) {
    if (isOwn(it)) return send('PATCH', `repos/${repository}/issues/comments/${it.id}`, { body });
  }
  send('POST', comments, { body });
}
