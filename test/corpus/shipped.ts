import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { probesOf, readGardens } from '../../compiler/app/preview/read-gardens.ts';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { McpRecallRequest, type ExplainedUnit } from '../../compiler/schema/api/recall.ts';
import { compileToFolder } from '../support/compiled.ts';
import { repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';
import type { Answered } from './tokens.ts';

/** A shipped probe as it was answered, with every unit's score. */
export interface Explained extends Answered {
  readonly agent: string;
  readonly required: readonly string[];
  readonly explained: readonly ExplainedUnit[];
  /** The candidates beside the chunks, as many as an answer of MCP has, and what they cost. */
  readonly named: readonly string[];
  readonly namedTokens: number;
}

const NOW = '2026-06-01T00:00:00.000Z';

/**
 * Asks the shipped deployment its own probes. Eager is what an agent would be given at once: `boot.md` and every unit
 * that it may recall, the shared ones too. All required units of a probe are what an intent wants.
 */
export async function askShipped(depths: readonly number[]): Promise<Map<number, Explained[]>> {
  const repo = repository().copy('instructions', 'instructions');
  repo.commit();
  const { out, trust } = await compileToFolder(repo.path);
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const queries = await openQueries(bundle.org.model, 'models');
  const shared = loadShared(bundle);
  const gardens = await readGardens({ repo: '.', source: 'instructions', ref: undefined }, worldIn(repo.path));
  const found = new Map<number, Explained[]>(depths.map((depth) => [depth, []]));
  for (const agent of [...gardens.configuration.agents.keys()].sort()) {
    const garden = loadGarden(bundle, agent, shared);
    const boot = readFileSync(join(repo.path, `instructions/agents/${agent}/boot.md`), 'utf8');
    const eagerTokens = garden.recall.facts.reduce((all, { tokens }) => all + tokens, countTokens(boot));
    const stubTokens = garden.stub('generic')?.token_count ?? 0;
    for (const { intent, required } of probesOf(gardens, agent)) {
      const query = await queries(intent, garden.recall.index);
      for (const [max_chunks, answers] of found) {
        // a guaranteed unit would come with every answer, whatever is asked: it costs the same everywhere
        const request = McpRecallRequest.parse({ intent, max_chunks });
        const answer = recall(garden.recall, request, { now: NOW, query, explain: true });
        const { chunks, total_tokens, candidates = [], explain } = answer;
        const units = chunks.map(({ name }) => name);
        const came = required.filter((name) => units.includes(name)).length;
        const cost = { lazyTokens: total_tokens, eagerTokens, stubTokens };
        answers.push({
          agent,
          intent,
          required,
          units,
          ...cost,
          wanted: required.length,
          came,
          explained: explain?.units ?? [],
          named: candidates.map(({ name }) => name),
          namedTokens: candidates.reduce((all, it) => all + countTokens(JSON.stringify(it)), 0),
        });
      }
    }
  }
  return found;
}

/** The same answers with the candidates: what one of them names comes, at the cost of its name and description. */
export function withCandidates(answers: readonly Explained[]): Answered[] {
  return answers.map((it) => {
    const shown = [...it.units, ...it.named];
    const came = it.required.filter((name) => shown.includes(name)).length;
    return { ...it, came, lazyTokens: it.lazyTokens + it.namedTokens };
  });
}

/**
 * The same answers if a ranked unit came only while its score is at least this share of the best: what an answer that
 * ends by itself would cost, and lose.
 */
export function endingAt(floor: number, answers: readonly Explained[]): Answered[] {
  return answers.map((it) => {
    const best = Math.max(...it.explained.map(({ score }) => score));
    const kept = it.explained.filter(
      ({ outcome, score }) => outcome === 'guaranteed' || (outcome === 'ranked' && score >= floor * best),
    );
    const names = kept.map(({ name }) => name);
    const came = it.required.filter((name) => names.includes(name)).length;
    return { ...it, units: names, lazyTokens: kept.reduce((all, { tokens }) => all + tokens, 0), came };
  });
}
