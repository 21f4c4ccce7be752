import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readAnswers, readPrompts } from '../../../server/audit/read-answers.ts';
import { agentMissing, findGarden } from '../../io/bundle/load-garden.ts';
import { createFile } from '../../io/files/durable.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import { findSecrets, presetSecrets } from '../../lint/rules/secret.ts';
import { renderCandidates } from '../../present/terminal/candidates.ts';
import { passes, runProbes } from '../../quality/probes.ts';
import { propose } from '../../quality/proposals/propose-probes.ts';
import { createWordingCounts, type WordingCounts } from '../../quality/proposals/wording-counts.ts';
import { createVocabulary } from '../../quality/redact/vocabulary.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { VadeError } from '../../schema/errors.ts';
import type { ProbeCandidate, ProbeSuggestions } from '../../schema/report/probe-candidate.ts';
import { MAX_SENTENCES_BYTES, type Probe } from '../../schema/source/probe.ts';
import type { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { PROBE_SUGGEST } from '../../world/flags/quality.ts';
import type { windowFrom } from '../../world/time-window.ts';
import type { World } from '../../world/world.ts';
import { openProbeTarget, readProbes, type ProbeTarget } from './probe.ts';

type SuggestFlags = Arguments<typeof PROBE_SUGGEST>;

/** Proposes probes for one agent, from its audit. */
export interface ProbeSuggester {
  readonly agentId: string;
  readonly garden: RecallGarden;
  readonly suggest: (
    input: { readonly counts: WordingCounts; readonly read: number },
    bounds: { readonly limit: number; readonly k: number },
  ) => Promise<Omit<ProbeSuggestions, 'out'>>;
}

/**
 * Opens an agent's garden, and its probes in the sources.
 *
 * @throws agent_not_found, bundle_not_found, bundle_unverified, sources_invalid, source_not_found
 */
export async function openProbeSuggester(flags: SuggestFlags, world: World): Promise<ProbeSuggester> {
  const target = await openProbeTarget(flags.bundle, flags, world);
  const { bundle } = target;
  const agent = findGarden(bundle, flags.agent);
  const garden = target.garden(flags.agent);
  if (agent === null || garden === null) {
    throw agentMissing(bundle, flags.agent);
  }
  const { probes } = await readProbes({ ...flags, ref: undefined }, world);
  const own = probes.get(agent)?.set.probes ?? [];
  const agentId = bundle.root.predicate.gardens.find((it) => it.garden === agent)?.agent_id ?? '';
  return {
    agentId,
    garden,
    suggest: async ({ counts, read }, { limit, k }) => {
      const proposals = await propose(counts, contextOf(garden, own, world));
      const listed = limit === 0 ? proposals : proposals.slice(0, limit);
      const found = await foundNow(target, garden, listed, k);
      const candidates: ProbeCandidate[] = listed.map((it, i) => ({ ...it, passes: found[i] ?? false }));
      return {
        agent,
        revision: bundle.revision,
        read,
        candidates,
        omitted: proposals.length - listed.length,
        left_out: counts.skipped(),
        yaml: renderCandidates(candidates),
      };
    },
  };
}

function contextOf(garden: RecallGarden, probes: readonly Probe[], world: World) {
  return {
    probes,
    vocabulary: createVocabulary(garden, readLexicon().lexicon),
    hasSecret: async (text: string) => (await findSecrets(text, presetSecrets)).length > 0,
    onProgress: (done: number, total: number) => {
      if (done % 100 === 0) world.progress('reading intents', done, total);
    },
  };
}

async function foundNow(
  { queries, now }: ProbeTarget,
  garden: RecallGarden,
  listed: readonly { readonly intent: string; readonly required: string[] }[],
  k: number,
): Promise<boolean[]> {
  const probes = listed.map(({ intent, required }) => ({ intent, required, forbidden: [] }));
  const results = await runProbes(garden, probes, (intent) => queries(intent, garden.index), now);
  return results.map((it) => passes(it, k));
}

/** Counts the intents and the prompts of an agent in a window of the audit. @throws audit_not_found */
export async function countWordings(
  { agentId, garden }: ProbeSuggester,
  place: ReturnType<typeof auditPlaceFrom>,
  window: ReturnType<typeof windowFrom>,
): Promise<{ readonly counts: WordingCounts; readonly read: number }> {
  const counts = createWordingCounts(garden);
  let read = 0;
  for await (const page of readAnswers(place, { agent: agentId, ...window })) {
    for (const answered of page) counts.add(answered);
    read += page.length;
    // lets a signal be handled between two pages
    await setImmediate();
  }
  const prompts = await readPrompts(place, { agent: agentId, ...window });
  for (const prompt of prompts) counts.addPrompt(prompt);
  return { counts, read: read + prompts.length };
}

/**
 * The path of a new file outside the sources: nothing becomes a probe automatically.
 *
 * @throws argument_invalid, already_exists
 */
export function placeOut(out: string, { repo, source }: SuggestFlags, { cwd }: World): string {
  const path = resolve(cwd, out);
  const folder = trueFolder(dirname(path));
  const sources = trueFolder(resolve(cwd, repo, source));
  if (folder === sources || folder.startsWith(`${sources}${sep}`)) {
    const message = '--out must be outside the sources: a person copies accepted probes into them';
    throw new VadeError('argument_invalid', message, { flag: 'out' });
  }
  if (existsSync(path)) throw new VadeError('already_exists', `${out} already exists`);
  return path;
}

/** The real path of a folder, with links resolved. */
function trueFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Writes the proposals to a file that only its owner may read. @throws already_exists, output_failed */
export function writeOut(path: string, yaml: string): void {
  createFile(path, yaml, { mode: 0o600, limit: MAX_SENTENCES_BYTES });
}
