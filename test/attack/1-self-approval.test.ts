import { describe, expect, test } from 'vitest';
import { readFacts } from '../../compiler/io/bundle/open-bundle.ts';
import type { Sources } from '../../compiler/schema/source/sources.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { approvalOf, approve, GUARANTEED, LIMITS, limits } from '../support/approvals.ts';
import { compileSources, type TestTrust } from '../support/compiled.ts';
import { agentYaml, unitFile, type Repository } from '../support/repository.ts';
import { person, staff, type Person } from '../support/staff.ts';
import { ANN, BOB, branched, CLEO, commitAs, FORGE, mergeAs, opened, refusals } from './branching.ts';
import { WAYS } from './ways.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob], { forges: [FORGE] });
const REFUSED = ['guarantee_approval_required'];

/** Files approvals of what is checked out, in a commit of somebody else. */
function approvedBy(repo: Repository, ...by: Person[]): Promise<Sources> {
  approve(repo, 'limits', approvalOf(repo), ...by);
  commitAs(repo, CLEO, 'file the approval');
  return opened(repo);
}

/** Who wrote the unit in force, by the compiled bundle; without a trust root, nobody's approval is asked for. */
async function writersOf(sources: Sources, options: { trust?: TestTrust } = {}): Promise<unknown[]> {
  const { bundle } = await compileSources(sources, options);
  const facts = bundle!.built.find((it) => it.name === 'cto')!.files.get('facts.json')!;
  const fact = readFacts(facts).find((it) => it.name === 'limits');
  return [fact?.authored_by, ...(fact?.coauthored_by ?? [])];
}

describe('DESIGN §7 an author cannot approve a text that another brings to main', () => {
  test.each(WAYS)('an author cannot approve her text if it reaches main through %s', async (_, go) => {
    const repo = branched();
    go(repo);
    const sources = await approvedBy(repo, ann);
    expect(await refusals(sources, trust)).toEqual(REFUSED);
    expect(await writersOf(sources)).toContain(ann.entity);
  });

  test('an author cannot approve her text together with a person whom the trust root does not know', async () => {
    const repo = branched();
    commitAs(limits(repo), ANN);
    mergeAs(repo, BOB);
    expect(await refusals(approvedBy(repo, ann, person('eve')), trust)).toEqual(REFUSED);
  });

  test('the author of a legacy file cannot approve the unit that it stands in for', async () => {
    const repo = branched();
    const mode = agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', 'migration_mode: file\n');
    repo.write('instructions/agents/cto/agent.yaml', mode);
    repo.write(LIMITS, `---\ndescription: What never to do\npath: docs/limits.md\n${GUARANTEED}---\n`);
    commitAs(repo, CLEO);
    commitAs(repo.write('docs/limits.md', 'Never.\n'), ANN);
    mergeAs(repo, BOB);
    const over = { legacy: sha256('Never.\n') };
    commitAs(approve(repo, 'limits', approvalOf(repo, over), ann), CLEO);
    expect(await refusals(opened(repo), trust)).toEqual(REFUSED);
    commitAs(approve(repo, 'limits', approvalOf(repo, over), bob), CLEO);
    expect(await refusals(opened(repo), trust)).toEqual([]);
  });
});

describe('DESIGN §7 nobody is an author of what they did not write', () => {
  test('neither who merges a text nor the forge that commits it is an author', async () => {
    const repo = branched();
    commitAs(limits(repo), ANN, 'write', FORGE);
    mergeAs(repo, BOB);
    const sources = await approvedBy(repo, bob);
    expect(await refusals(sources, trust)).toEqual([]);
    expect(await writersOf(sources, { trust })).toEqual([ann.entity]);
  });

  test('who changed another unit on the same branch is not an author', async () => {
    const repo = branched();
    commitAs(limits(repo), ANN);
    commitAs(repo.write('instructions/agents/cto/other.md', unitFile('Another thing')), BOB);
    mergeAs(repo, CLEO);
    expect(await refusals(approvedBy(repo, bob), trust)).toEqual([]);
  });

  test('who committed another empty file is not an author of a unit that was once empty', async () => {
    const repo = branched();
    commitAs(repo.write(LIMITS, ''), ANN);
    commitAs(limits(repo), ANN);
    commitAs(repo.write('empty.txt', ''), BOB);
    mergeAs(repo, CLEO);
    expect(await refusals(approvedBy(repo, bob), trust)).toEqual([]);
  });

  test('who changed main is not an author of a branch into which main was merged', async () => {
    const repo = branched();
    commitAs(limits(repo), ANN);
    repo.git('switch', '--quiet', 'main');
    commitAs(repo.write('more.txt', 'x'), BOB);
    repo.git('switch', '--quiet', 'topic');
    repo.gitAs(ANN, ['merge', '--quiet', '--no-ff', '--no-edit', 'main']);
    mergeAs(repo, CLEO);
    expect(await refusals(approvedBy(repo, bob), trust)).toEqual([]);
  });
});

describe('DESIGN §7 who merges can be an author', () => {
  test('who changes a text in a merge commit is an author of it', async () => {
    const repo = branched();
    commitAs(limits(repo), CLEO);
    repo.git('switch', '--quiet', 'main');
    repo.gitAs(ANN, ['merge', '--quiet', '--no-ff', '--no-commit', 'topic']);
    commitAs(limits(repo, GUARANTEED, 'Slipped into the merge.'), ANN);
    expect(await refusals(approvedBy(repo, ann), trust)).toEqual(REFUSED);
    const sources = await approvedBy(repo, bob);
    expect(await refusals(sources, trust)).toEqual([]);
    expect(await writersOf(sources, { trust })).toEqual([ann.entity, 'acme/human/cleo']);
  });

  test('who restores an older text in a merge commit is an author of it', async () => {
    const repo = branched();
    repo.git('switch', '--quiet', 'main');
    commitAs(limits(repo, GUARANTEED, 'An old text.'), CLEO);
    repo.git('branch', '--force', 'topic');
    commitAs(limits(repo, GUARANTEED, 'A new text.'), CLEO);
    repo.git('switch', '--quiet', 'topic');
    commitAs(repo.write('notes.txt', 'x'), CLEO);
    repo.git('switch', '--quiet', 'main');
    repo.gitAs(ANN, ['merge', '--quiet', '--no-ff', '--no-commit', 'topic']);
    commitAs(limits(repo, GUARANTEED, 'An old text.'), ANN);
    const sources = await approvedBy(repo, ann);
    expect(await refusals(sources, trust)).toEqual(REFUSED);
    expect(await writersOf(sources)).toEqual([ann.entity, 'acme/human/cleo']);
  });
});
