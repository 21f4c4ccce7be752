import { lintCapabilities } from '../../compiler/capabilities/lint/lint-capabilities.ts';
import { readCapabilities, type Capabilities } from '../../compiler/capabilities/read-capabilities.ts';
import { sourcesFrom } from '../../compiler/capabilities/use-cases/library.ts';
import { readLibrary } from '../../compiler/io/files/library-files.ts';
import type { Diagnostic } from '../../compiler/schema/diagnostics.ts';
import type { Repository } from './repository.ts';

/** Files by path below the sources. */
export type CapabilityFiles = ReadonlyMap<string, string>;

/** The standard atoms and roles. */
export function libraryFiles(): Map<string, string> {
  return new Map([...readLibrary()].map(([path, bytes]) => [path, bytes.toString('utf8')]));
}

/** Atoms and roles of files, and all that is wrong with them. */
export function readFiles(files: CapabilityFiles): { capabilities: Capabilities; faults: Diagnostic[] } {
  const { site, read } = sourcesFrom(new Map([...files].map(([path, text]) => [path, Buffer.from(text)])));
  const { capabilities, faults } = readCapabilities(site, 'instructions', read);
  return { capabilities, faults: [...faults, ...lintCapabilities(capabilities)] };
}

/** The library with some of its files changed; null removes one. */
export function changed(
  changes: Readonly<Record<string, string | null | ((text: string) => string)>>,
): CapabilityFiles {
  const files = libraryFiles();
  for (const [path, change] of Object.entries(changes)) {
    if (change === null) files.delete(path);
    else files.set(path, typeof change === 'string' ? change : change(files.get(path) ?? ''));
  }
  return files;
}

/** The rules that a changed library breaks, each once, sorted. */
export function rulesBroken(changes: Parameters<typeof changed>[0]): string[] {
  return [...new Set(readFiles(changed(changes)).faults.map((it) => it.rule))].sort();
}

/** Writes files below the sources of a repository. */
export function writeCapabilities(repo: Repository, files: CapabilityFiles): Repository {
  for (const [path, text] of files) repo.write(`instructions/${path}`, text);
  return repo;
}

/** The smallest set with a role: two atoms, and the role `reader` that has both. */
export function smallSet(): Map<string, string> {
  const wanted = ['capabilities/tools/read-only/', 'capabilities/output/report-format/'];
  const files = [...libraryFiles()].filter(([path]) => wanted.some((it) => path.startsWith(it)));
  return new Map([...files, ['roles/reader.toml', READER]]);
}

export const READER = `[role]
name = "reader"
display-name = "reader"
description = "Reads and reports."

[capabilities]
required = ["tools::read-only", "output::report-format"]

[tools]
allowed = ["Read", "Grep"]
`;
