import type { CompileInput } from '../../../compiler/compile.ts';
import type { Diagnostic, RuleId } from '../../../compiler/schema/diagnostics.ts';
import type { Sources } from '../../../compiler/schema/source/sources.ts';
import { compileSources, testTrust } from '../../support/compiled.ts';
import { committedSources } from '../../support/memory-sources.ts';
import { SMALL_DEPLOYMENT } from '../../support/unit-files.ts';

/** Second unit of `smallDeployment`; most rows write it anew. */
export const WRAP_UP = 'agents/cto/wrap-up.md';

/** Where a fault is expected; the file is that of the row unless named. */
export interface Place {
  readonly rule: RuleId;
  readonly line: number;
  readonly column: number;
  readonly file?: string;
}

/** Actions of a row on a repository before the commit. */
interface Staging {
  readonly git: (...args: string[]) => string;
  readonly write: (file: string, content: string) => { readonly path: string };
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
  /** Work in git before the commit. */
  readonly stage?: (repo: Staging) => void;
  /** Inputs of the compile that differ from the usual ones. */
  readonly over?: Partial<CompileInput>;
  /** Further faults of the same run. */
  readonly also?: readonly Place[];
}

/** Front matter with a description on line 2; `more` begins on line 3. */
export function front(more = '', body = 'Leave work.\n'): string {
  return `---\ndescription: How to leave work\n${more}---\n${body}`;
}

/** Every fault of a compile of these sources as production runs it. */
export async function faultsOf(sources: Sources, over: Partial<CompileInput> = {}): Promise<readonly Diagnostic[]> {
  const { bundle, faults } = await compileSources(sources, { trust: testTrust(), over });
  if (bundle && faults.some((it) => it.severity === 'error')) throw new Error('a bundle came of faulty sources');
  return faults;
}

/** A row's files on top of the smallest deployment, in memory. */
export function sourcesOf({ file, written, besides = {} }: Row): Sources {
  const changed = written === null ? {} : { [file]: written };
  return committedSources(new Map(Object.entries({ ...SMALL_DEPLOYMENT, ...besides, ...changed })));
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
