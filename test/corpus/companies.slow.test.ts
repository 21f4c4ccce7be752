import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrateCommand } from '../../compiler/cli/commands/migrate/migrate.ts';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { compileToFolder } from '../support/compiled.ts';
import { corpusOf } from '../support/corpus.ts';
import { repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';

const { path: CORPUS, isThere } = corpusOf('companies');

/** The agents of every company: names are unique once the company stands before them. */
function agents(): { name: string; folder: string }[] {
  return readdirSync(CORPUS).flatMap((company) =>
    readdirSync(join(CORPUS, company, 'agents')).map((agent) => ({
      name: `${company.slice(0, 9)}-${agent}`.slice(0, 64),
      folder: join(CORPUS, company, 'agents', agent),
    })),
  );
}

test.runIf(isThere)('§21.4.4 every agent of real companies gets a garden of its own, and sees no other', async () => {
  const all = agents();
  const repo = repository().write('instructions/org.yaml', 'deployment: corpus\ncompiler: 0.1.0\n');
  for (const { name, folder } of all) {
    // in this process: a hundred starts of the command line would take a minute
    await migrateCommand.run(
      { from: [folder], agent: name, out: 'instructions', models: '.vade/models', answers: [], write: true },
      worldIn(repo.path),
    );
  }
  repo.commit('migrated');
  const { out, trust } = await compileToFolder(repo.path);
  const bundle = openBundle(out, { pinned: trust.root, now: new Date().toISOString() });
  const shared = loadShared(bundle);
  expect(bundle.root.predicate.gardens.length).toBe(all.length + 1);
  for (const { name } of all) {
    const garden = loadGarden(bundle, name, shared);
    expect(garden.manifest).toBeDefined();
    expect(garden.stub('generic')?.token_count).toBeLessThanOrEqual(500);
    for (const fact of garden.recall.facts) {
      expect(fact.uri.startsWith(`instruction:corpus/agent/${name}/`)).toBe(true);
    }
  }
});
