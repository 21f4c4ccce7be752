import { findHelpfulWords } from '../../quality/suggest/findable.ts';
import { lostProbes, reword, type PreviewGarden, type Reworded } from '../../quality/suggest/reword.ts';
import { VadeError } from '../../schema/errors.ts';
import { agentUnknown } from '../../schema/known-keys.ts';
import { probeExample, type Probe } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { SUGGEST } from '../../world/flags/quality.ts';
import type { World } from '../../world/world.ts';
import { patchOf, rewordUnit } from './patch-unit.ts';
import { openPreviewGardens, type PreviewGardens } from './preview-gardens.ts';
import { readProposed } from './proposed-probes.ts';
import { writeWords, type Rewording } from './write-words.ts';

/** The edit of one unit file; without a diff and a rewording if a program cannot make it. */
interface UnitEdit {
  readonly file: string;
  readonly diff: string | null;
  readonly rewording: Rewording | null;
}

type SuggestFlags = Arguments<typeof SUGGEST>;

/**
 * Finds words that win lost probes and make units findable, and writes them if the flags say so.
 *
 * @throws argument_invalid, agent_not_found, source_not_found, ref_not_found, sources_invalid, output_failed
 */
export async function suggestWords(args: SuggestFlags, world: World) {
  if (args.write && args.ref !== undefined) throw writesNoCommit();
  const previews = await openPreviewGardens(args, world);
  const { agent } = args;
  if (!previews.agents.includes(agent)) throw agentUnknown(`${args.source}/`, agent, previews.agents);
  const { k = previews.org.probes.k } = args;
  const { lost, reworded, hard_to_find } = await wordsFor(args, k, previews, world);
  const edits = editsOf(agent, reworded, previews);
  const rewordings = edits.flatMap(({ rewording }) => rewording ?? []);
  const writes = args.write && !args['dry-run'];
  if (writes) writeWords(rewordings, args.repo, world);
  return {
    effect: effectOf(writes, rewordings.length > 0),
    agent,
    k,
    lost,
    ...reworded,
    hard_to_find,
    edits: edits.map(({ file, diff }) => ({ file, diff })),
    held: previews.quarantined,
  };
}

/** The words for an agent's lost probes, of which there are `lost`, and for its units that are hard to find. */
async function wordsFor(args: SuggestFlags, k: number, previews: PreviewGardens, world: World) {
  const { agent } = args;
  const own = previews.preview(agent);
  const proposed = args.probes === undefined ? [] : readProposed(args.probes, world);
  const wanted = wantedOf(args, { ...own, probes: [...own.probes, ...proposed] });
  const garden = { ...own, probes: [...new Set([...own.probes, ...wanted])] };
  const options = { k, now: world.now().toISOString() };
  const lost = await lostProbes({ ...garden, probes: wanted }, options);
  const others = previews.agents.filter((it) => it !== agent).map((it) => previews.preview(it));
  const isShared = (unit: string) => previews.source(agent, unit)?.unit.garden === SHARED;
  const all = { ...options, others, isShared };
  const reworded = await reword(garden, lost, all);
  const hard_to_find = args.probe === undefined ? await findHelpfulWords(garden, args.unit ?? null, all) : [];
  return { lost: lost.length, reworded, hard_to_find };
}

function writesNoCommit(): VadeError {
  const message = '--write changes the working tree: remove --ref';
  return new VadeError('argument_invalid', message, { flag: 'write' });
}

function effectOf(writes: boolean, changes: boolean) {
  if (writes) return changes ? ('updated' as const) : ('noop' as const);
  return changes ? ('would_update' as const) : ('would_noop' as const);
}

/** The probes to win, if they are lost. @throws argument_invalid, source_not_found */
function wantedOf(
  args: { unit: string | undefined; probe: string | undefined; source: string },
  garden: PreviewGarden,
): Probe[] {
  const { unit, probe: intent } = args;
  if (unit !== undefined && !garden.units.has(unit)) {
    throw new VadeError('argument_invalid', `the agent has no unit ${unit}`, { flag: 'unit' });
  }
  const known = garden.probes.filter((it) => intent === undefined || it.intent === intent.trim());
  if (intent === undefined || known.length > 0) {
    return known.filter(({ required }) => unit === undefined || required.includes(unit));
  }
  if (unit === undefined) {
    const message = `${args.source}/probes/ has no probe “${intent}”`;
    throw new VadeError('source_not_found', message, {
      suggestion: `name the unit that it must find with --unit, or ${probeExample(`${args.source}/probes/<agent>.yaml`, 'unit-name', intent.trim())}`,
    });
  }
  if (intent.trim() === '') throw new VadeError('argument_invalid', 'the intent is blank', { flag: 'probe' });
  return [{ intent: intent.trim(), required: [unit], forbidden: [] }];
}

/** The edit of each file: all suggestions for one unit together. */
function editsOf(agent: string, { suggestions }: Reworded, previews: PreviewGardens): UnitEdit[] {
  const units = [...new Set(suggestions.map((it) => it.unit))].sort();
  return units.flatMap((name): UnitEdit[] => {
    const source = previews.source(agent, name);
    if (source === null) return [];
    const own = suggestions.filter((it) => it.unit === name);
    const more = {
      intents: own.flatMap((it) => it.intents),
      keywords: own.flatMap((it) => it.keywords),
      aliases: own.flatMap((it) => it.aliases),
    };
    const { file } = source.unit;
    const before = source.text;
    const after = rewordUnit(source.unit, before, more);
    if (after === null) return [{ file, diff: null, rewording: null }];
    return [{ file, diff: patchOf(file, before, after), rewording: { file, before, after } }];
  });
}
