import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Comparison } from '../../compiler/schema/report/comparison.ts';
import { testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';
import { guaranteed } from '../support/staffed.ts';
import { runStep, type RanStep } from './job.ts';

const REFUNDS = 'instructions/agents/cto/refunds.md';
const ROOT = 'instructions/trust/1.json';

let repo: Repository;
let base: string;

beforeEach(() => {
  repo = smallDeployment();
  repo.write(ROOT, Buffer.from(testTrust().root.envelope));
  repo.write(REFUNDS, unitFile('Decide on a refund or a disputed charge', ['the customer wants their money back']));
  base = repo.commit('the base');
  repo.git('switch', '--quiet', '--create', 'branch');
});

/** Merges the branch as GitHub does for a job, and runs the step on that. */
async function pull(change: (repo: Repository) => unknown, env: Record<string, string> = {}): Promise<RanStep> {
  change(repo);
  const head = repo.commit('the change');
  repo.git('switch', '--quiet', '--detach', base);
  repo.gitAs('Hub <hub@example.com>', ['merge', '--quiet', '--no-ff', '--message', 'Merge', head]);
  return runStep('pull-request', repo.path, { pull_request: { base: { sha: base }, head: { sha: head } } }, env);
}

const comparisonOf = ({ outputs }: RanStep): Comparison =>
  (JSON.parse(readFileSync(outputs['comparison'] ?? '', 'utf8')) as { data: Comparison }).data;

const painted = (it: Repository) => it.write(REFUNDS, unitFile('How the office is painted', ['choose a colour']));

describe('the step pull-request of the action', () => {
  test('a change is compared with the base, its comment is rendered, and the page is written', async () => {
    const ran = await pull(painted);
    expect(ran.code, ran.log).toBe(0);
    const { agents, head } = comparisonOf(ran);
    expect(agents.find(({ name }) => name === 'cto')?.units.map(({ name, kind }) => [name, kind])).toEqual([
      ['refunds', 'changed'],
    ]);
    // the serial after a merge is the base’s and one more
    expect(head?.serial).toBe(2);
    expect(ran.summary).toMatch(/^<!-- vade comment -->\n/);
    expect(readFileSync(ran.outputs['report'] ?? '', 'utf8')).toContain('<html');
  });

  test('a missing approval fails the check, and the comment has both its command and the comparison', async () => {
    const ran = await pull(guaranteed);
    expect(ran.code, ran.log).toBe(4);
    const { diagnostics, head } = comparisonOf(ran);
    expect(diagnostics.map(({ rule }) => rule)).toContain('guarantee_approval_required');
    expect(head).not.toBeNull();
    expect(ran.summary).toContain('`vade approve --kind guarantee_load');
  });

  test('a change that does not compile fails, is annotated at its line, and its errors are in the comment', async () => {
    const ran = await pull((it) => it.write(REFUNDS, '---\ndescription: [\n---\n\nx\n'));
    expect(ran.code).toBe(4);
    expect(ran.log).toMatch(new RegExp(`^::error file=${REFUNDS},line=\\d+`, 'm'));
    expect(comparisonOf(ran).head).toBeNull();
    expect(ran.outputs['report']).toBeUndefined();
  });

  test('a refusal that belongs to no line is annotated with its code', async () => {
    const ran = await pull((it) => it.write('instructions/org.yaml', 'deployment: acme\ncompiler: 9.9.9\n'));
    expect([ran.code, ran.log]).toEqual([4, expect.stringMatching(/^::error title=COMPILER_MISMATCH::/m)]);
  });

  test('a pull request does not choose the trust root that judges it', async () => {
    const ran = await pull((it) => guaranteed(it.remove(ROOT)));
    expect(ran.code, ran.log).toBe(4);
    expect(comparisonOf(ran).diagnostics.map(({ rule }) => rule)).toContain('guarantee_approval_required');
  });

  test('the first pull request has nothing to compare with, and is checked all the same', async () => {
    repo.git('switch', '--quiet', '--orphan', 'empty');
    base = repo.write('README.md', 'nothing yet\n').commit('no instructions');
    const ran = await pull((it) => it.git('checkout', 'branch', '--', '.'));
    expect(ran.code, ran.log).toBe(0);
    expect(ran.outputs['comparison']).toBeUndefined();
    expect(ran.log).toContain('::notice title=nothing to compare with');
  });

  test('a merge queue is checked as a pull request is', async () => {
    const head = painted(repo).commit();
    const ran = await runStep('pull-request', repo.path, { merge_group: { base_sha: base, head_sha: head } });
    expect(ran.code, ran.log).toBe(0);
    expect(comparisonOf(ran).head?.commit).toBe(head);
  });

  test('the sources of a larger repository are those that `source` names, with their own trust root', async () => {
    repo.git('mv', 'instructions', 'handbook');
    base = repo.commit('the handbook has a folder of its own');
    const inFolder = (it: Repository) =>
      it.write('handbook/agents/cto/refunds.md', unitFile('How the office is painted', ['choose a colour']));
    const ran = await pull(inFolder, { VADE_SOURCE: 'handbook', VADE_TRUST: '' });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.log).toContain('--source handbook');
  });

  test('a shallow clone is refused with its code, before anything is numbered', async () => {
    painted(repo).commit();
    const clone = join(tempFolder(), 'clone');
    repo.git('clone', '--quiet', '--depth=1', `file://${repo.path}`, clone);
    const event = { pull_request: { base: { sha: base }, head: { sha: base } } };
    const ran = await runStep('pull-request', clone, event);
    expect(ran).toMatchObject({ code: 1, outputs: {} });
    expect(ran.log).toMatch(/^::error title=history_incomplete::.*fetch-depth: 0/m);
  });

  test('an event of something else, and a step that is none, are refused', async () => {
    for (const [step, event] of [
      ['pull-request', { push: {} }],
      ['pull-request', { pull_request: { base: { sha: '--upload-pack=x' }, head: { sha: base } } }],
    ] as const) {
      const ran = await runStep(step, repo.path, event);
      expect([ran.code, ran.log]).toEqual([1, expect.stringContaining('title=event_invalid')]);
    }
    const unknown = await runStep('toString', repo.path, {});
    expect([unknown.code, unknown.log]).toEqual([1, expect.stringContaining('title=argument_invalid')]);
  });
});
