import { describe, expect, test } from 'vitest';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { unitFile } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

const trust = testTrust({ development: true });
const FILE = 'instructions/agents/cto/wrap-up.md';

describe('DESIGN §6.2 --previous saves work', () => {
  test('--previous with unchanged sources builds no garden again', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    const { reused, gardens } = await compileRepository(repo.path, { trust, previous: previous.folder });
    expect([reused, gardens]).toEqual([2, 3]);
  });

  test('--previous after a change of one agent reuses the gardens of the others', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    repo.write(FILE, unitFile('How to leave', [], '', 'Tell them.')).commit();
    const { reused } = await compileRepository(repo.path, { trust, previous: previous.folder });
    expect(reused).toBe(1);
  });

  test.each([
    ['shared/', 'instructions/shared/escalation.md', unitFile('Whom to ask')],
    ['org.yaml', 'instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nwake_reasons: [manual]\n'],
  ])('--previous after a change of %s builds every garden again', async (_, file, content) => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    repo.write(file, content).commit();
    expect((await compileRepository(repo.path, { trust, previous: previous.folder })).reused).toBe(0);
  });

  test('--previous after a change of a legacy file builds the garden that contains it again', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    repo.write('docs/escalation.md', '# Escalation\n\nAsk the CEO.\n').commit();
    const warm = await publish(repo.path, { trust, previous: previous.folder });
    expect(warm.file('ops', 'files/docs/escalation.md').toString()).toContain('Ask the CEO.');
  });

  test('--previous may be the output folder', async () => {
    const repo = handbook();
    const { folder } = await publish(repo.path, { trust });
    repo.write(FILE, unitFile('How to leave', [], '', 'Tell them.')).commit();
    const warm = await publish(repo.path, { trust, previous: folder, out: folder });
    const cold = await publish(repo.path, { trust });
    expect(warm.bundle.revision).toBe(cold.bundle.revision);
    expect(listing(folder)).toMatchObject(listing(cold.folder));
  });
});

describe('DESIGN §6.2 the order of commits is free', () => {
  test('--previous whose commit was amended passes', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    repo.git('commit', '--quiet', '--amend', '--message', 'another');
    const warm = await publish(repo.path, { trust, previous: previous.folder });
    expect(warm.bundle.revision).toBe((await publish(repo.path, { trust })).bundle.revision);
  });

  test('--previous that was compiled from a branch which was merged since passes', async () => {
    const repo = handbook();
    repo.git('switch', '--quiet', '--create', 'topic');
    repo.write(FILE, unitFile('How to leave', [], '', 'Tell them.')).commit();
    const previous = await publish(repo.path, { trust });
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic');
    const warm = await publish(repo.path, { trust, previous: previous.folder });
    expect(warm.bundle.revision).toBe((await publish(repo.path, { trust })).bundle.revision);
  });

  test('--previous that is newer than the ref passes: facts may be missing', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    const { faults } = await compileRepository(repo.path, { trust, ref: 'HEAD~1', previous: previous.folder });
    expect(faults).toEqual([]);
  });
});

describe('DESIGN §6.2 --previous refuses', () => {
  test('--previous is fact_mutated if moved sources count from v1 again with another text', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    repo.git('mv', 'instructions', 'sources');
    repo.commit('move');
    const compiled = compileRepository(repo.path, { trust, folder: 'sources', previous: previous.folder });
    await expect(compiled).rejects.toMatchObject({ code: 'fact_mutated' });
  });

  test('--previous is bundle_unverified if another key signed it', async () => {
    const repo = handbook();
    const previous = await publish(repo.path, { trust });
    const compiled = compileRepository(repo.path, { previous: previous.folder });
    await expect(compiled).rejects.toMatchObject({ code: 'bundle_unverified' });
  });
});
