import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintSources } from '../../compiler/app/lint/lint-sources.ts';
import { migrateCommand } from '../../compiler/cli/commands/migrate/migrate.ts';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import { unversionedSources } from '../../compiler/io/git/unversioned-sources.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { compileRepository, realGate, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { repository, type Repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';
import type { Sample } from './samples.ts';

/** Result of one sample: its units, the first compile, and where its questions' answers came. */
export interface FirstCompile {
  readonly name: string;
  readonly units: number;
  /** Rules of the sample that are in the boot stub, or in a guaranteed unit. */
  readonly kept: number;
  /** Errors of the first compile, by rule; empty if it made a bundle. */
  readonly errors: readonly string[];
  /** Warnings of `vade lint` about the units that were written, by rule. */
  readonly warnings: readonly string[];
  /** For each question the rank of the first answer; 0 in the boot stub, null if it did not come. */
  readonly ranks: readonly (number | null)[];
}

const NOW = '2026-06-01T00:00:00.000Z';
const AGENT = 'sample';

/** Migrates a sample as its owner would, compiles it with every gate, changes nothing, and asks its questions. */
export async function firstCompile(sample: Sample): Promise<FirstCompile> {
  const repo = repository().write('instructions/org.yaml', 'deployment: corpus\ncompiler: 0.1.0\n');
  await migrateCommand.run(
    { from: [sample.path], agent: AGENT, out: 'instructions', models: '.vade/models', answers: [], write: true },
    worldIn(repo.path),
  );
  const warnings = await warningsOf(repo);
  repo.commit('migrated');
  const trust = testTrust({ development: true });
  const gate = await realGate();
  const first = await compileRepository(repo.path, { trust, over: { gate } });
  const errors = first.faults.filter((it) => it.severity === 'error').map((it) => `${it.rule} ${it.file}`);
  const compiled =
    first.bundle === null
      ? await compileRepository(repo.path, { trust, over: { gate: { ...gate, skip: true } } })
      : first;
  const units = readdirSync(join(repo.path, 'instructions/agents', AGENT)).filter((it) => isUnit(it)).length;
  if (compiled.bundle === null)
    return { name: sample.name, units, kept: 0, errors, warnings, ranks: sample.ask.map(() => null) };
  const out = tempFolder();
  writeBundle(out, compiled.bundle, null);
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const garden = loadGarden(bundle, AGENT, loadShared(bundle));
  const queries = await openQueries(bundle.org.model, 'models');
  const always = [bootOf(repo), ...garden.recall.guaranteed.map((it) => garden.recall.facts[it]?.content ?? '')].join(
    '\n',
  );
  const ranks: (number | null)[] = [];
  for (const { intent, wants } of sample.ask) {
    const request = RecallRequest.parse({ intent, max_chunks: 10, token_budget: 20_000 });
    const { chunks } = recall(garden.recall, request, {
      now: NOW,
      query: await queries(intent, garden.recall.index),
      explain: false,
    });
    const at = chunks.findIndex(({ content }) => wants.some((it) => content.includes(it)));
    ranks.push(wants.some((it) => plain(always).includes(plain(it))) ? 0 : at < 0 ? null : at + 1);
  }
  const kept = sample.rules.filter((it) => plain(always).includes(plain(it))).length;
  return { name: sample.name, units, kept, errors, warnings, ranks };
}

/** Of the files of units: what an agent has no unit for is nothing that was written. */
async function warningsOf(repo: Repository): Promise<string[]> {
  const { faults } = await lintSources(unversionedSources({ repo: repo.path, folder: 'instructions' }), {
    countTokens,
  });
  return faults
    .filter(({ file }) => file.endsWith('.md'))
    .map(({ rule, file, message }) => `${rule} ${file}: ${message}`);
}

const isUnit = (file: string) => file.endsWith('.md') && file !== 'boot.md';

/** Words alone: a rule may lose its emphasis on the way. */
const plain = (text: string) => text.replace(/[*_\s]+/g, ' ').toLowerCase();

function bootOf(repo: Repository): string {
  try {
    return readFileSync(join(repo.path, 'instructions/agents', AGENT, 'boot.md'), 'utf8');
  } catch {
    return '';
  }
}
