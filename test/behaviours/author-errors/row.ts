import type { CompileInput } from '../../../compiler/compile.ts';
import type { Diagnostic, RuleId } from '../../../compiler/schema/diagnostics.ts';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { smallDeployment, type Repository } from '../../support/repository.ts';

/** What `smallDeployment` calls its second unit; most rows write it anew. */
export const WRAP_UP = 'agents/cto/wrap-up.md';

/** Where a fault is expected; the file is that of the row unless named. */
export interface Place {
  readonly rule: RuleId;
  readonly line: number;
  readonly column: number;
  readonly file?: string;
}

/** One thing an author writes on top of the smallest deployment, and every fault that must be told of it. */
export interface Row extends Place {
  readonly title: string;
  /** Path below the sources. */
  readonly file: string;
  /** Bytes of `file`; null leaves it as it is, or absent. */
  readonly written: string | Buffer | null;
  /** Other files that the row needs. */
  readonly besides?: Readonly<Record<string, string | Buffer>>;
  /** What git has to do before the commit. */
  readonly stage?: (repo: Repository) => void;
  /** What the compile is given otherwise than usual. */
  readonly over?: Partial<CompileInput>;
  /** Further faults of the same run. */
  readonly also?: readonly Place[];
}

/** Front matter with a description on line 2; `more` begins on line 3. */
export function front(more = '', body = 'Leave work.\n'): string {
  return `---\ndescription: How to leave work\n${more}---\n${body}`;
}

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

/** Every fault of a compile as production runs it. */
export async function faultsIn(repo: Repository, over: Partial<CompileInput> = {}): Promise<readonly Diagnostic[]> {
  const { bundle, faults } = await compileRepository(repo.path, { trust: testTrust(), over });
  if (bundle && faults.some((it) => it.severity === 'error')) throw new Error('a bundle came of faulty sources');
  return faults;
}

/** A fault as rows state it: rule and place, no prose. */
export function placeOf({ rule, file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column} ${rule}`;
}

/** The faults a row expects, in the same form and in the order they are reported. */
export function expectedPlaces(row: Row): string[] {
  return [row, ...(row.also ?? [])].map(
    ({ rule, line, column, file = row.file }) => `instructions/${file}:${line}:${column} ${rule}`,
  );
}
