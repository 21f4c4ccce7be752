import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { probesOf, readGardens } from '../../compiler/app/preview/read-gardens.ts';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { ComputedRecall, RecallRequest } from '../../compiler/schema/api/recall.ts';
import { MCP_PROFILE } from '../../compiler/schema/bundle/boot-stub.ts';
import { recallText } from '../../server/mcp/recall-text.ts';
import { stdioClient } from '../server/doors.ts';
import { compileToFolder } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';
import type { Answered } from './tokens.ts';

/** A shipped probe as it was answered. */
export interface AnsweredProbe extends Answered {
  readonly agent: string;
}

/** In the form of an answer's token over HTTP. */
const TOKEN = 'audi_01JWN9QG00V3X8K2RZ6T4D5M7C_kJ3vQ8sLx0ZtYb2wNf6mHg';

export const NOW = '2026-06-01T00:00:00.000Z';

/** The gardens of the shipped deployment by agent, compiled, with their probes. */
export async function shippedGardens() {
  const repo = repository().copy('instructions', 'instructions');
  repo.commit();
  const { out, trust } = await compileToFolder(repo.path);
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const queries = await openQueries(bundle.org.model, 'models');
  const shared = loadShared(bundle);
  const gardens = await readGardens({ repo: '.', source: 'instructions', ref: undefined }, worldIn(repo.path));
  return [...gardens.configuration.agents.keys()].sort().map((agent) => ({
    agent,
    garden: loadGarden(bundle, agent, shared),
    bundle: { bundle: out, trust },
    boot: readFileSync(join(repo.path, `instructions/agents/${agent}/boot.md`), 'utf8'),
    probes: probesOf(gardens, agent),
    queries,
  }));
}

type Shipped = Awaited<ReturnType<typeof shippedGardens>>[number];

/**
 * Asks the shipped deployment its own probes as over HTTP: an answer is its JSON, the stub its whole document. Eager is
 * what an agent would be given at once: `boot.md` and every unit that it may recall, the shared ones too. All required
 * units of a probe are what an intent wants.
 */
export async function askShipped(depths: readonly number[]): Promise<Map<number, AnsweredProbe[]>> {
  const found = new Map<number, AnsweredProbe[]>(depths.map((depth) => [depth, []]));
  for (const shipped of await shippedGardens()) {
    const { agent, garden, probes, queries } = shipped;
    const start = { agent, eagerTokens: eagerOf(shipped), stubTokens: countTokens(garden.stub('generic')?.text ?? '') };
    for (const { intent, required } of probes) {
      const query = await queries(intent, garden.recall.index);
      for (const [max_chunks, answers] of found) {
        // a guaranteed unit would come with every answer, whatever is asked: it costs the same everywhere
        const request = RecallRequest.parse({ intent, max_chunks });
        const { left_out: _, ...response } = recall(garden.recall, request, { now: NOW, query, explain: false });
        const lazyTokens = countTokens(JSON.stringify({ ...response, audit_token: TOKEN }));
        answers.push({ ...start, lazyTokens, ...foundIn(intent, required, response.chunks, []) });
      }
    }
  }
  return found;
}

/**
 * Asks the same probes as a host's model does by default over MCP: an answer is its text, the start is the stub of that
 * profile, the definitions of the tools and the server's instructions.
 */
export async function askShippedOverMcp(): Promise<AnsweredProbe[]> {
  const answers: AnsweredProbe[] = [];
  for (const shipped of await shippedGardens()) {
    const { agent, garden, probes, queries } = shipped;
    const stubTokens = countTokens(garden.stub(MCP_PROFILE)?.text ?? '') + (await listTokens(shipped));
    const start = { agent, eagerTokens: eagerOf(shipped), stubTokens };
    for (const { intent, required } of probes) {
      const query = await queries(intent, garden.recall.index);
      const request = ComputedRecall.parse({ intent, max_chunks: 1, near_share: 75, candidates: 8 });
      const response = recall(garden.recall, request, { now: NOW, query, explain: false });
      const always = new Set(garden.recall.guaranteed.map((it) => garden.recall.facts[it]?.name ?? ''));
      const lazyTokens = countTokens(recallText(response, { always, isNamed: false, isFollowing: false }));
      answers.push({ ...start, lazyTokens, ...foundIn(intent, required, response.chunks, response.candidates ?? []) });
    }
  }
  return answers;
}

interface Named {
  readonly name: string;
}

/** Units that came of a probe, as texts or by name. */
function foundIn(intent: string, required: readonly string[], chunks: readonly Named[], named: readonly Named[]) {
  const units = chunks.map(({ name }) => name);
  const shown = new Set([...chunks, ...named].map(({ name }) => name));
  return { intent, units, wanted: required.length, came: required.filter((it) => shown.has(it)).length };
}

const eagerOf = ({ garden, boot }: Shipped) =>
  garden.recall.facts.reduce((all, { tokens }) => all + tokens, countTokens(boot));

/** Tokens of tools and instructions, as a host sends them. */
async function listTokens({ agent, bundle }: Shipped): Promise<number> {
  const audit = join(tempFolder(), 'audit.db');
  const client = await stdioClient(bundle, agent, {
    audit,
    auditKey: 'the same for every process',
    now: () => Date.parse(NOW),
  });
  const { tools } = await client.listTools();
  const sent = tools.map(({ name, description, inputSchema: input_schema }) => ({ name, description, input_schema }));
  const all = [client.getInstructions() ?? '', ...sent.map((it) => JSON.stringify(it))];
  await client.close();
  return all.reduce((sum, it) => sum + countTokens(it), 0);
}
