import { describe, expect, test } from 'vitest';
import { compileRepository } from './support/compiled.ts';
import { smallDeployment } from './support/repository.ts';

describe('compile', () => {
  test('a commit of sources gives a signed bundle without faults', async () => {
    const repo = smallDeployment();
    repo.commit();
    const { bundle, faults } = await compileRepository(repo.path);
    expect(faults).toEqual([]);
    expect(bundle?.built.map((it) => it.name)).toEqual(['shared', 'cto']);
  });
});
