import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import type { LoadedEncoder } from '../../../compiler/io/models/encoder.ts';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { ProbeSet } from '../../../compiler/schema/source/probe.ts';
import { migrated } from '../../corpus/ask.ts';
import { CEO_INTENTS } from '../../corpus/intents.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { repository, type Repository } from '../../support/repository.ts';
import { withModel } from './encoder.ts';

/** An intent with what it wants, and where that stands among the ranked units, counted from 1. */
export interface Placed {
  readonly agent: string;
  readonly intent: string;
  readonly wanted: string;
  /** Infinity where it is not ranked. */
  readonly rank: number;
}

const ORG = 'instructions/org.yaml';

/** Every wanted unit of the shipped deployment's probes. */
export async function askProbes(loaded: LoadedEncoder | null): Promise<Placed[]> {
  const repo = repository().copy('instructions', 'instructions');
  const { gardenOf, agents } = await compiled(repo, loaded);
  const placed: Placed[] = [];
  for (const agent of agents) {
    const { probes } = ProbeSet.parse(parse(readFileSync(`instructions/probes/${agent}.yaml`, 'utf8')));
    for (const { intent, required } of probes) {
      const names = await rankedNames(gardenOf(agent), intent, loaded?.encoder ?? null);
      placed.push(...required.map((wanted) => ({ agent, intent, wanted, rank: rankOf(names, [wanted]) })));
    }
  }
  return placed;
}

/** The intents on real instruction files, with the triggers that `vade migrate` proposes. */
export async function askCeo(loaded: LoadedEncoder | null): Promise<Placed[]> {
  const repo = await migrated(join(import.meta.dirname, '../../corpus/ceo'), 'ceo');
  const garden = (await compiled(repo, loaded)).gardenOf('ceo');
  const placed: Placed[] = [];
  for (const { intent, wanted } of CEO_INTENTS) {
    const names = await rankedNames(garden, intent, loaded?.encoder ?? null);
    const units = garden.facts.filter(({ content }) => wanted.includes(/^#+ (.*)$/m.exec(content)?.[1] ?? ''));
    const rank = rankOf(
      names,
      units.map((it) => it.name),
    );
    placed.push({ agent: 'ceo', intent, wanted: wanted.join(' / '), rank });
  }
  return placed;
}

/** Compiles a repository with the encoder to measure, and opens the bundle. */
async function compiled(repo: Repository, loaded: LoadedEncoder | null) {
  repo.write(ORG, withModel(readFileSync(join(repo.path, ORG), 'utf8'), loaded)).commit();
  const over = loaded === null ? {} : { loadEncoder: () => Promise.resolve(loaded) };
  const { out, trust } = await compileToFolder(repo.path, { over });
  const bundle = openBundle(out, { pinned: trust.root, now: new Date().toISOString() });
  const shared = loadShared(bundle);
  return {
    agents: bundle.root.predicate.gardens.filter((it) => it.agent_id !== null).map((it) => it.garden),
    gardenOf: (agent: string) => loadGarden(bundle, agent, shared).recall,
  };
}

/** Units by rank before any budget; a guaranteed unit, which comes anyway, stands where it is ranked. */
async function rankedNames(garden: RecallGarden, intent: string, encoder: Encoder | null): Promise<string[]> {
  const { vectors } = garden.index;
  const [vector] = (await encoder?.encode([intent], 'query')) ?? [];
  const query = vectors && quantise(vector ?? null, vectors.mean);
  const request = RecallRequest.parse({ intent, max_chunks: 3 });
  const answer = recall(garden, request, { now: new Date().toISOString(), query, explain: true });
  const units = answer.explain?.units.filter((it) => it.rank !== null) ?? [];
  return units.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map((it) => it.name);
}

function rankOf(names: readonly string[], wanted: readonly string[]): number {
  const place = names.findIndex((name) => wanted.includes(name));
  return place < 0 ? Infinity : place + 1;
}
