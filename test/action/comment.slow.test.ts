import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/repository.ts';
import { fakeHub, type FakeHub } from './hub.ts';
import { runStep } from './job.ts';

const COMMIT = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';
const OURS = 'acme/handbook';
const FORK = 'stranger/handbook';
const BASE = 'ba5e2c3d4e5f60718293a4b5c6d7e8f901234567';
const MERGE = 'feed2c3d4e5f60718293a4b5c6d7e8f901234567';
const SIDE = { revision: '41-0a', serial: 41, commit: COMMIT };
const BEFORE = { ...SIDE, commit: BASE };

/** As GitHub sends it for a fork: `pull_requests` is empty. */
const EVENT = {
  workflow_run: {
    ...{ id: 77, event: 'pull_request', head_branch: 'feature/x&y', head_sha: COMMIT, pull_requests: [] },
    head_repository: { full_name: FORK, owner: { login: 'stranger' } },
  },
};

const PULLS = `repos/${OURS}/pulls?state=open&head=${encodeURIComponent('stranger:feature/x&y')}`;
const ARTIFACTS = `repos/${OURS}/actions/runs/77/artifacts?name=vade-comparison&per_page=2`;
const ZIP = `repos/${OURS}/actions/artifacts/5/zip`;
const COMMENTS = `repos/${OURS}/issues/12/comments`;
const BOT = { login: 'github-actions[bot]', type: 'Bot' };

const pull = (change: object = {}) => ({
  ...{
    number: 12,
    base: { sha: BASE },
    head: { sha: COMMIT, ref: 'feature/x&y', repo: { full_name: FORK } },
    ...change,
  },
});

const comparison = (change: object = {}) => ({
  data: {
    format: 1,
    deployment: 'acme',
    base: BEFORE,
    head: SIDE,
    agents: [],
    unprobed: [],
    diagnostics: [],
    ...change,
  },
});

/** Packed by git, so that not this code alone says what a zip is. */
function zipOf(content: unknown, name = 'comparison.json'): Buffer {
  const repo = repository().write(name, typeof content === 'string' ? content : JSON.stringify(content));
  repo.commit();
  execFileSync('git', ['archive', '--format=zip', '--output=out.zip', 'HEAD'], { cwd: repo.path });
  return readFileSync(join(repo.path, 'out.zip'));
}

const OWN = zipOf(comparison());

function hub(answers: Readonly<Record<string, unknown>> = {}): FakeHub {
  return fakeHub({
    [PULLS]: [pull()],
    [ARTIFACTS]: { artifacts: [{ id: 5, name: 'vade-comparison', expired: false, size_in_bytes: 900 }] },
    [ZIP]: OWN,
    [COMMENTS]: [],
    ...answers,
  });
}

const post = (to: FakeHub, event: unknown = EVENT) =>
  runStep('comment', repository().path, event, { PATH: to.PATH, GH_TOKEN: to.GH_TOKEN, GITHUB_REPOSITORY: OURS });

/** Requests that write: the method, the address and the text of each. */
const written = (to: FakeHub) =>
  to
    .calls()
    .filter(({ args }) => args.includes('--method'))
    .map(({ args, input }) => [args[2], args[3], input?.body ?? '']);

describe('the step comment of the action', () => {
  test('the first run of a fork’s pull request posts a comment, on the number that GitHub knows', async () => {
    const to = hub();
    const ran = await post(to);
    expect(ran.code, ran.log).toBe(0);
    expect(written(to)).toEqual([['POST', COMMENTS, expect.stringMatching(/^<!-- vade comment -->\n/)]]);
    expect(written(to)[0]?.[2]).toContain(`(https://github.com/${OURS}/actions/runs/77)`);
  });

  test('a later run changes the comment that the bot wrote, and no other that begins in the same way', async () => {
    const comments = [
      { id: 1, user: { login: 'stranger', type: 'User' }, body: '<!-- vade comment -->\nmine' },
      { id: 2, user: BOT, body: 'another bot’s <!-- vade comment -->' },
      { id: 5, user: { ...BOT, type: 'User' }, body: '<!-- vade comment -->' },
      { id: 3, user: null, body: '<!-- vade comment -->' },
      { id: 4, user: BOT, body: '<!-- vade comment -->\nold' },
    ];
    const to = hub({ [COMMENTS]: comments });
    expect((await post(to)).code).toBe(0);
    expect(written(to).map(([method, path]) => [method, path])).toEqual([['PATCH', `repos/${OURS}/issues/comments/4`]]);
  });

  test('a number in the artifact is refused with it: the comparison has no such member', async () => {
    const to = hub({ [ZIP]: zipOf(comparison({ number: 1 })) });
    const ran = await post(to);
    expect([ran.code, ran.log]).toEqual([1, expect.stringContaining('title=artifact_invalid')]);
    expect(written(to)).toEqual([]);
  });

  test('texts of a stranger reach the comment as code spans, and mention nobody', async () => {
    const text = '@everyone <img src=x onerror=alert(1)> [click](https://example.com) `` ` #1\n::error::no';
    const fault = { rule: 'unit_long', severity: 'error', file: text, line: 1, column: 1, message: text, help: text };
    const to = hub({ [ZIP]: zipOf(comparison({ diagnostics: [fault] })) });
    expect((await post(to)).code).toBe(0);
    const [[, , body = ''] = []] = written(to);
    const outside = body.replace(/(`+)(?!`).*?[^`]\1(?!`)/gs, '');
    expect(body).toContain('@everyone');
    expect(outside).not.toMatch(/@everyone|<img|\[click|#1\b|::error/);
  });

  const commitAt = (id: string) => `repos/${OURS}/commits/${id}`;
  const compared = (id: string) => `repos/${OURS}/compare/${id}...${BASE}?per_page=1`;
  const parents = (...ids: string[]) => ({ parents: ids.map((sha) => ({ sha })) });

  test.each([
    [
      'the merge of its newest commit',
      { head: { ...SIDE, commit: MERGE } },
      { [commitAt(MERGE)]: parents(BASE, COMMIT) },
    ],
    ['an older commit of the base', { base: { ...SIDE, commit: MERGE } }, { [compared(MERGE)]: { status: 'ahead' } }],
    ['no head', { head: null }, {}],
  ])('a comparison of %s is of this pull request', async (_what, change, answers) => {
    const to = hub({ [ZIP]: zipOf(comparison(change)), ...answers });
    const ran = await post(to);
    expect([ran.code, written(to).length], ran.log).toEqual([0, 1]);
  });

  test.each([
    ['a head that GitHub does not have', { head: { ...SIDE, commit: 'f'.repeat(40) } }, {}],
    ['a merge of another commit', { head: { ...SIDE, commit: MERGE } }, { [commitAt(MERGE)]: parents(BASE, BASE) }],
    ['a commit on top of its own', { head: { ...SIDE, commit: MERGE } }, { [commitAt(MERGE)]: parents(COMMIT) }],
    ['a base that GitHub does not have', { base: { ...SIDE, commit: 'f'.repeat(40) } }, {}],
    ['a base that was never merged', { base: SIDE }, { [compared(COMMIT)]: { status: 'diverged' } }],
  ])('a comparison with %s is refused: its figures would be about nothing', async (_what, change, answers) => {
    const to = hub({ [ZIP]: zipOf(comparison(change)), ...answers });
    const ran = await post(to);
    expect([ran.code, ran.log]).toEqual([1, expect.stringContaining('title=artifact_invalid')]);
    expect(written(to)).toEqual([]);
  });

  test.each([
    ['closed, or of a newer commit', { [PULLS]: [] }],
    ['of another repository with the same owner', { [PULLS]: [pull({ head: { ...pull().head, repo: null } })] }],
    ['at another commit by now', { [PULLS]: [pull({ head: { ...pull().head, sha: COMMIT.replace('0', 'f') } })] }],
    ['without an artifact', { [ARTIFACTS]: { artifacts: [] } }],
    ['with an expired artifact', { [ARTIFACTS]: { artifacts: [{ id: 5, name: 'vade-comparison', expired: true }] } }],
  ])('a pull request that is %s gets no comment, and that is no error', async (_which, answers) => {
    const to = hub(answers);
    const ran = await post(to);
    expect([ran.code, ran.log]).toEqual([0, expect.stringContaining('::notice title=no comment')]);
    expect(written(to)).toEqual([]);
  });

  test.each([
    ['two pull requests with the same head', { [PULLS]: [pull(), pull({ number: 13 })] }, /title=ambiguous/],
    ['an artifact that says it is large', { [ARTIFACTS]: artifact(3_000_000) }, /title=artifact_invalid.*more than/],
    ['an artifact without a size', { [ARTIFACTS]: artifact(undefined) }, /title=artifact_invalid.*more than/],
    ['an artifact that is large without saying it', { [ZIP]: Buffer.alloc(4_000_000) }, /title=hub_failed.*ENOBUFS/],
    ['a bomb', { [ZIP]: zipOf(' '.repeat(20_000_000)) }, /title=artifact_invalid.*ERR_BUFFER_TOO_LARGE/],
    ['no zip', { [ZIP]: Buffer.from('PK') }, /title=artifact_invalid/],
    [
      'another file in the artifact',
      { [ZIP]: zipOf(comparison(), 'comparison.md') },
      /title=artifact_invalid.*0 files/,
    ],
    ['no JSON', { [ZIP]: zipOf('<!-- vade comment --> @everyone') }, /title=artifact_invalid.*not a comparison/],
  ])('%s: nothing is posted', async (_what, answers, told) => {
    const to = hub(answers);
    const ran = await post(to);
    expect([ran.code, ran.log]).toEqual([1, expect.stringMatching(told)]);
    expect(written(to)).toEqual([]);
  });

  test.each([
    ['a push', { workflow_run: { ...EVENT.workflow_run, event: 'push' } }],
    ['a fork that is gone', { workflow_run: { ...EVENT.workflow_run, head_repository: null } }],
    [
      'a repository that is a path',
      {
        workflow_run: { ...EVENT.workflow_run, head_repository: { full_name: '../x/y', owner: { login: 'x' } } },
      },
    ],
    ['a commit that is none', { workflow_run: { ...EVENT.workflow_run, head_sha: 'main' } }],
    ['another event', { pull_request: { number: 3 } }],
  ])('a run of %s is refused before anything is asked', async (_what, event) => {
    const to = hub();
    const ran = await post(to, event);
    expect([ran.code, ran.log]).toEqual([1, expect.stringContaining('title=event_invalid')]);
    expect(to.calls()).toEqual([]);
  });
});

function artifact(size: number | undefined) {
  return { artifacts: [{ id: 5, name: 'vade-comparison', expired: false, size_in_bytes: size }] };
}
