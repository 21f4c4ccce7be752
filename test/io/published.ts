import { openBundle, readFacts, readHistory } from '../../compiler/io/bundle/open-bundle.ts';
import type { FactVersion } from '../../compiler/schema/bundle/fact.ts';
import { Manifest } from '../../compiler/schema/bundle/manifest.ts';
import { compileToFolder, type CompileOptions, type TestTrust } from '../support/compiled.ts';

/** After every commit of the tests. */
export const NOW = '2030-01-01T00:00:00Z';

/** The verified content of a bundle on disk. */
export function readPublished(folder: string, trust: TestTrust) {
  const bundle = openBundle(folder, { pinned: trust.root, now: NOW });
  const file = (garden: string, path: string) => bundle.readGarden(garden).files.get(path) ?? Buffer.alloc(0);
  const facts = (garden = 'cto') => readFacts(file(garden, 'facts.json'));
  const history = (garden = 'cto') => readHistory(file(garden, 'history.json'));
  return {
    folder,
    trust,
    bundle,
    root: bundle.root.predicate,
    file,
    facts,
    history,
    /** Every version of one unit, oldest first, the one in force among them. */
    versions: (unit: string, garden = 'cto'): FactVersion[] =>
      [...history(garden), ...facts(garden)].filter((it) => it.name === unit).sort((a, b) => a.version - b.version),
    predicate: (garden = 'cto') => bundle.readGarden(garden).statement.predicate,
    manifest: (agent = 'cto') => Manifest.parse(JSON.parse(file(agent, 'manifest.json').toString('utf8'))),
    stub: (profile = 'generic', agent = 'cto') => file(agent, `stubs/${profile}.md`).toString('utf8'),
  };
}

/** Compiles a repository into a folder and reads it back. */
export async function publish(repo: string, options: CompileOptions & { out?: string } = {}) {
  const { out, trust, compiled } = await compileToFolder(repo, options);
  return { ...readPublished(out, trust), warnings: compiled.faults };
}
