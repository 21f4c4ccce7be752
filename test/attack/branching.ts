import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import { remembered } from '../../compiler/io/git/remembered.ts';
import type { Sources } from '../../compiler/schema/source/sources.ts';
import { compileSources, type TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';
import { rawCommit, withSignature, type SshKey } from '../trust/commit-signature/keys.ts';

/** How people of these tests are called in commits. */
export const ANN = 'Ann <ann@example.com>';
export const BOB = 'Bob <bob@example.com>';
export const CLEO = 'Cleo <cleo@example.com>';
export const FORGE = 'GitHub <noreply@github.com>';

/** A deployment on `main`, with a branch `topic` checked out. */
export function branched(): Repository {
  const repo = smallDeployment();
  repo.commit();
  repo.git('switch', '--quiet', '--create', 'topic');
  return repo;
}

/** Commits everything as somebody. */
export function commitAs(repo: Repository, who: string, message = 'change', committer = who): string {
  return repo.commit(message, undefined, who, committer);
}

/** Merges a branch into `main` as somebody, as the button of a forge does. */
export function mergeAs(repo: Repository, who: string, branch = 'topic', committer = who): Repository {
  repo.git('switch', '--quiet', 'main');
  repo.gitAs(who, ['merge', '--quiet', '--no-ff', '--no-edit', branch], committer);
  return repo;
}

/** The last commit; what git says of it is asked once for all compiles. */
export async function opened(repo: Repository): Promise<Sources> {
  return remembered(await openSources({ repo: repo.path, folder: 'instructions', ref: 'HEAD', lenient: false }));
}

/** Rules of the errors that a compile tells. */
export async function refusals(sources: Sources | Promise<Sources>, trust: TestTrust): Promise<string[]> {
  const { faults } = await compileSources(await sources, { trust });
  return faults.filter((it) => it.severity === 'error').map((it) => it.rule);
}

/** Replaces the last commit by the same one, signed. */
export function signLast(repo: Repository, key: SshKey): string {
  const raw = rawCommit(repo);
  const path = join(tempFolder(), 'commit');
  writeFileSync(path, withSignature(raw, key.sign(raw)));
  const id = repo.git('hash-object', '-t', 'commit', '-w', path).trim();
  repo.git('reset', '--quiet', '--soft', id);
  return id;
}
