import { describe, expect, test } from 'vitest';
import { BAD, deploy, KEY, dashes } from '../gardens/quarantined.ts';
import { compileRepository, testTrust } from '../support/compiled.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';
import { compileErrors, lintErrors } from './author-errors/agreement.ts';
import { opened } from './author-errors/committed.ts';
import { faultsOf } from './author-errors/row.ts';

// author-errors.test.ts and author-files.test.ts hold the other mistakes of authors
describe('lint and compile agree on what is an error', () => {
  const secret = `${dashes}BEGIN PRIVATE KEY${dashes}\n${KEY}\n${dashes}END PRIVATE KEY${dashes}`;
  const comment = `# ${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}`;
  test.each([
    ...BAD.map(
      ([title, body, rule]) => [`${title} in a unit`, rule, (repo: Repository) => deploy(repo, body)] as const,
    ),
    [
      'a secret in org.yaml',
      'secret_exposed',
      (repo: Repository) => {
        repo.write('instructions/org.yaml', `deployment: acme\ncompiler: 0.1.0\n${comment}\n`);
      },
    ],
    [
      'a secret in a file of probes',
      'secret_exposed',
      (repo: Repository) => {
        repo.write('instructions/probes/cto.yaml', `probes: []\n${comment}\n`);
      },
    ],
    [
      'a secret in a file that nothing reads',
      'secret_exposed',
      (repo: Repository) => {
        repo.write('instructions/notes.txt', secret);
      },
    ],
    [
      'a secret in boot.md',
      'secret_exposed',
      (repo: Repository) => {
        repo.write('instructions/agents/cto/boot.md', secret);
      },
    ],
  ] as const)('%s is an error for both lint and compile: %s', async (_title, rule, write) => {
    const repo = smallDeployment();
    write(repo);
    repo.commit();
    const sources = await opened(repo);
    const errors = compileErrors(await faultsOf(sources));
    expect(errors).toEqual(await lintErrors(sources));
    expect(errors.join(' ')).toContain(rule);
  });
});

describe('DESIGN §7 --allow-quarantine', () => {
  test.each(BAD)('%s stops a compile, and is quarantined with --allow-quarantine', async (_title, body, rule) => {
    const repo = deploy(smallDeployment(), body);
    repo.commit();
    const trust = testTrust();
    expect((await compileRepository(repo.path, { trust })).bundle).toBeNull();
    const { bundle, faults } = await compileRepository(repo.path, { trust, over: { allowQuarantine: true } });
    expect(bundle?.statement.predicate.gardens.find(({ garden }) => garden === 'cto')?.held).toBe(1);
    expect(faults.map((it) => [it.rule, it.severity])).toEqual(
      expect.arrayContaining([
        [rule, 'warning'],
        ['quarantined', 'warning'],
      ]),
    );
  });
});
