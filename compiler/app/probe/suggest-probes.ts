import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readAnswers } from '../../../server/main.ts';
import { findGarden } from '../../io/bundle/load-garden.ts';
import { createFile } from '../../io/files/durable.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import { findSecrets, presetSecrets } from '../../lint/rules/secret.ts';
import { renderCandidates } from '../../present/terminal/candidates.ts';
import { passes, runProbes } from '../../quality/probes.ts';
import { openVocabulary } from '../../quality/redact/vocabulary.ts';
import { openWordingCounts, type WordingCounts } from '../../quality/suggest/gather-candidates.ts';
import { propose } from '../../quality/suggest/propose-probes.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Candidate, ProbeSuggestions } from '../../schema/report/probe-candidate.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { placeFrom } from '../world/audit-place.ts';
import type { windowFrom } from '../world/time-window.ts';
import type { World } from '../world/world.ts';
import { openAskable, readProbes, type Askable } from './probe.ts';

interface SuggestFlags {
  readonly agent: string;
  readonly bundle: string;
  readonly trust: string | undefined;
  readonly dev: boolean;
  readonly models: string;
  readonly repo: string;
  readonly source: string;
}

/** An agent whose audit is asked for probes. */
export interface Suggesting {
  readonly agentId: string;
  readonly garden: RecallGarden;
  readonly suggest: (
    gathered: { readonly gathering: WordingCounts; readonly read: number },
    bounds: { readonly limit: number; readonly k: number },
  ) => Promise<Omit<ProbeSuggestions, 'out'>>;
}

/**
 * Opens an agent's garden, and the probes that the sources have of it.
 *
 * @throws agent_not_found, bundle_not_found, bundle_unverified, sources_invalid, source_not_found
 */
export async function openSuggesting(flags: SuggestFlags, world: World): Promise<Suggesting> {
  const askable = await openAskable(flags.bundle, flags, world);
  const { bundle } = askable;
  const agent = findGarden(bundle, flags.agent);
  const garden = askable.garden(flags.agent);
  if (agent === null || garden === null) {
    throw new VadeError('agent_not_found', `the bundle has no agent ${flags.agent}`);
  }
  const { probes } = await readProbes({ ...flags, ref: undefined }, world);
  const own = probes.get(agent) ?? [];
  const agentId = bundle.root.predicate.gardens.find((it) => it.garden === agent)?.agent_id ?? '';
  return {
    agentId,
    garden,
    suggest: async ({ gathering, read }, { limit, k }) => {
      const proposals = await propose(gathering, contextOf(garden, own, world));
      const listed = limit === 0 ? proposals : proposals.slice(0, limit);
      const found = await foundNow(askable, garden, listed, k);
      const candidates: Candidate[] = listed.map((it, i) => ({ ...it, passes: found[i] ?? false }));
      return {
        agent,
        revision: bundle.revision,
        read,
        candidates,
        omitted: proposals.length - listed.length,
        left_out: gathering.leftOut(),
        yaml: renderCandidates(candidates),
      };
    },
  };
}

function contextOf(garden: RecallGarden, probes: readonly Probe[], world: World) {
  return {
    probes,
    vocabulary: openVocabulary(garden, readLexicon().lexicon),
    hasSecret: async (text: string) => (await findSecrets(text, presetSecrets)).length > 0,
    onProgress: (done: number, total: number) => {
      if (done % 100 === 0) world.progress('reading intents', done, total);
    },
  };
}

async function foundNow(
  { queries, now }: Askable,
  garden: RecallGarden,
  listed: readonly { readonly intent: string; readonly required: string[] }[],
  k: number,
): Promise<boolean[]> {
  const asked = listed.map(({ intent, required }) => ({ intent, required, forbidden: [] }));
  const results = await runProbes(garden, asked, (intent) => queries(intent, garden.index), now);
  return results.map((it) => passes(it, k));
}

/** Reads what an agent asked in a window of the audit. @throws audit_not_found */
export async function gatherFrom(
  { agentId, garden }: Suggesting,
  place: ReturnType<typeof placeFrom>,
  window: ReturnType<typeof windowFrom>,
): Promise<{ readonly gathering: WordingCounts; readonly read: number }> {
  const gathering = openWordingCounts(garden);
  let read = 0;
  for await (const page of readAnswers(place, { agent: agentId, ...window })) {
    for (const answered of page) gathering.take(answered);
    read += page.length;
    // a signal is heard between two pages
    await setImmediate();
  }
  return { gathering, read };
}

/**
 * Where a new file may be written, outside the sources: nothing becomes a probe by itself.
 *
 * @throws argument_invalid, already_exists
 */
export function placeOut(out: string, { repo, source }: SuggestFlags, { cwd }: World): string {
  const path = resolve(cwd, out);
  const folder = trueFolder(dirname(path));
  const sources = trueFolder(resolve(cwd, repo, source));
  if (folder === sources || folder.startsWith(`${sources}${sep}`)) {
    const message = '--out is a file outside the sources: a person moves into them what they accept';
    throw new VadeError('argument_invalid', message, { flag: 'out' });
  }
  if (existsSync(path)) throw new VadeError('already_exists', `${out} is there already`);
  return path;
}

/** A folder by its own name, whatever links lead there. */
function trueFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Writes what was proposed, for its owner's eyes. @throws already_exists, output_failed */
export function writeOut(path: string, yaml: string): void {
  createFile(path, yaml, { mode: 0o600 });
}
