import type { CompileInput } from '../../../compiler/compile.ts';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import type { Diagnostic } from '../../../compiler/schema/diagnostics.ts';
import type { Sources } from '../../../compiler/schema/source/sources.ts';
import { smallDeployment, type Repository } from '../../support/repository.ts';
import { faultsOf, type Row } from './row.ts';

/** Commits a row's files on top of the smallest deployment. */
export function commitRow(row: Pick<Row, 'file' | 'written' | 'besides' | 'stage'>): Repository {
  const repo = smallDeployment();
  for (const [file, content] of Object.entries(row.besides ?? {})) repo.write(`instructions/${file}`, content);
  if (row.written !== null) repo.write(`instructions/${row.file}`, row.written);
  repo.git('add', '--all');
  row.stage?.(repo);
  repo.git('commit', '--quiet', '--message', 'what an author wrote');
  return repo;
}

/** The sources of a repository's last commit. */
export function opened({ path }: Repository): Promise<Sources> {
  return openSources({ repo: path, folder: 'instructions', ref: 'HEAD', lenient: false });
}

/** Every fault of a compile of a repository as production runs it. */
export async function faultsIn(repo: Repository, over?: Partial<CompileInput>): Promise<readonly Diagnostic[]> {
  return faultsOf(await opened(repo), over);
}
