import { describe, expect, test } from 'vitest';
import { compileRepository, compileToFolder, testTrust } from '../support/compiled.ts';
import {
  AGENT,
  BIRTH,
  born,
  CAST,
  course,
  CTO_ID,
  DAY,
  inMode,
  MISSING,
  promoted,
  SKIPPED,
  told,
} from '../support/evidence.ts';
import { agentYaml, smallDeployment } from '../support/repository.ts';

const { ann, trust } = CAST;
const dev = testTrust({ development: true });

describe('§21.6.2 nothing slips past the rules', () => {
  test('a later commit does not avoid the check of a move', async () => {
    const repo = course('coexistence', 'stigmem');
    repo.write('instructions/agents/cto/more.md', '---\ndescription: More\n---\n\nMore.\n').commit('later');
    expect(await told(repo)).toEqual(MISSING);
  });

  test('deleting an agent and adding it again does not avoid the check', async () => {
    const repo = born('file');
    repo.remove(AGENT).commit('gone', BIRTH + 60);
    inMode(repo, 'stigmem').commit('back', BIRTH + 120);
    expect(await told(repo)).toEqual(SKIPPED);
  });

  test('another folder with the same agent_id does not avoid the check', async () => {
    const repo = born('coexistence');
    repo.git('mv', 'instructions/agents/cto', 'instructions/agents/chief');
    repo.write('instructions/agents/chief/agent.yaml', agentYaml(CTO_ID));
    repo.write('instructions/agents/chief/wrap-up.md', '---\ndescription: How to leave work\n---\n\nLeave a note.\n');
    repo.commit('renamed', BIRTH + 60);
    expect(await told(repo)).toEqual(MISSING);
  });

  test('a version in between that cannot be compiled does not avoid the check', async () => {
    const repo = born('file');
    repo.write(AGENT, 'migration_mode: [\n').commit('broken', BIRTH + 60);
    inMode(repo, 'stigmem').commit('mended', BIRTH + 120);
    expect(await told(repo)).toEqual(SKIPPED);
  });

  test('leaving migration_mode out, which means stigmem, does not avoid the check', async () => {
    const repo = born('coexistence');
    inMode(repo, 'stigmem')
      .write(AGENT, agentYaml(CTO_ID))
      .commit('promote', BIRTH + 60);
    expect(await told(repo)).toEqual(MISSING);
  });

  test('an escape in the key does not avoid the check', async () => {
    const repo = smallDeployment().write(AGENT, agentYaml(CTO_ID, '"migration\\u005fmode": file\n'));
    repo.commit('born', BIRTH);
    inMode(repo, 'stigmem')
      .write(AGENT, agentYaml(CTO_ID))
      .commit('promote', BIRTH + 60);
    expect(await told(repo)).toEqual(SKIPPED);
  });

  test('steps in a branch do not avoid the check, because only the merge counts', async () => {
    const repo = born('file');
    repo.git('checkout', '--quiet', '-b', 'work');
    inMode(repo, 'coexistence').commit('coexist', BIRTH + 60);
    inMode(repo, 'stigmem').commit('promote', BIRTH + 120);
    repo.git('checkout', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'work');
    expect(await told(repo)).toEqual(SKIPPED);
  });

  test('a garden reused from an earlier bundle is checked too', async () => {
    const repo = promoted();
    const { out } = await compileToFolder(repo.path, { trust });
    expect((await compileRepository(repo.path, { trust, previous: out })).reused).toBe(1);
    repo.remove('instructions/approvals/cto-migration.json').commit('forget', BIRTH + 20 * DAY);
    const { faults, bundle } = await compileRepository(repo.path, { trust, previous: out });
    expect([faults.map((it) => it.rule), bundle]).toEqual([['migration_evidence_missing'], null]);
  });

  test('a new agent needs no evidence', async () => {
    const repo = smallDeployment();
    repo.commit('begin', BIRTH);
    expect(await told(repo)).toEqual([]);
  });
});

describe('§21.6.2 under --dev', () => {
  test('missing evidence is a warning under --dev', async () => {
    expect(await told(course('coexistence', 'stigmem'), dev)).toEqual(['warning migration_evidence_missing']);
  });

  test('the development key signs evidence', async () => {
    expect(await told(promoted({}, [{ ...ann, signer: dev.signer }]), dev)).toEqual([]);
  });

  test.each([
    ['marked', 'sensitive: true\n', 'sensitive: true\n'],
    ['unmarked with the move', 'sensitive: true\n', ''],
    ['marked with the move', '', 'sensitive: true\n'],
  ])('verification is not skipped for an agent that is sensitive: %s', async (_, before, after) => {
    const repo = born('coexistence', before);
    inMode(repo, 'stigmem', after).commit('promote', BIRTH + DAY);
    expect(await told(repo, dev)).toEqual(MISSING);
  });

  test('with evidence of a real deployment it compiles there too, by the administrators of its own roots', async () => {
    const more = 'sensitive: true\n';
    expect(await told(promoted({}, [ann], undefined, more), dev)).toEqual(MISSING);
    const repo = promoted({}, [ann], undefined, more).write('instructions/trust/1.json', trust.root.envelope);
    repo.commit('root', BIRTH + 10 * DAY);
    expect([await told(repo, dev), await told(repo)]).toEqual([[], []]);
  });

  test('nor is a stage, for any', async () => {
    expect(await told(course('file', 'stigmem'), dev)).toEqual(SKIPPED);
  });
});
