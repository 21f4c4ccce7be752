import { z } from 'zod';
import type { PreviewGardens } from '../../../app/suggest/reword.ts';
import type { Rewording } from '../../../app/suggest/write-words.ts';
import type { PreviewGarden, Reworded } from '../../../quality/suggest/reword.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { agentUnknown } from '../../../schema/known-keys.ts';
import {
  UnsolvedReason,
  type HardToFind,
  type Suggestion,
  type UnsolvedProbe,
} from '../../../schema/report/suggestion.ts';
import { probeExample, type Probe } from '../../../schema/source/probe.ts';
import { SHARED } from '../../../schema/uri.ts';
import { SUGGEST } from '../../../world/flags/quality.ts';
import { defineCommand } from '../../registry.ts';

const Edit = z.object({ file: z.string(), diff: z.string().nullable() });

/** Of one unit file; nothing if a program cannot make it. */
interface UnitEdit extends z.infer<typeof Edit> {
  readonly rewording: Rewording | null;
}

export const suggestCommand = defineCommand({
  path: 'suggest',
  description:
    'Suggest words that win lost probes and make units findable, and lose no probe; a preview unless --write is given',
  danger: 'mutating',
  flags: SUGGEST,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    agent: z.string(),
    k: z.int(),
    lost: z.int(),
    // short, since the manifest pays for tokens; the full shapes are Suggestion and UnsolvedProbe
    suggestions: z.array(z.looseObject({ unit: z.string(), probe: z.string() })),
    unsolved: z.array(z.looseObject({ unit: z.string(), probe: z.string(), reason: UnsolvedReason })),
    won: z.array(z.string()),
    hard_to_find: z.array(z.looseObject({ unit: z.string(), findability_after: z.number() })),
    edits: z.array(Edit),
    held: z.array(z.string()),
  }),
  examples: [
    { description: 'Every lost probe of an agent', command: 'vade suggest --agent cto' },
    { description: 'What agents had to choose', command: 'vade suggest --agent cto --probes proposed.yaml' },
    { description: 'Write the words', command: 'vade suggest --agent cto --write' },
    { description: 'Any intent', command: 'vade suggest --agent cto --unit limits --probe "drop a table"' },
  ],
  run: async (args, world) => {
    if (args.write && args.ref !== undefined) throw writesNoCommit();
    const { openPreviewGardens } = await import('../../../app/suggest/reword.ts');
    const { makeFindable } = await import('../../../quality/suggest/findable.ts');
    const { lostProbes, reword } = await import('../../../quality/suggest/reword.ts');
    const previews = await openPreviewGardens(args, world);
    const { agent } = args;
    if (!previews.agents.includes(agent)) throw agentUnknown(`${args.source}/`, agent, previews.agents);
    const options = { k: args.k ?? previews.org.probes.k, now: world.now().toISOString() };
    const own = previews.preview(agent);
    const { readProposed } = await import('../../../app/suggest/proposed-probes.ts');
    const proposed = args.probes === undefined ? [] : readProposed(args.probes, world);
    const wanted = wantedOf(args, { ...own, probes: [...own.probes, ...proposed] });
    const garden = { ...own, probes: [...new Set([...own.probes, ...wanted])] };
    const lost = await lostProbes({ ...garden, probes: wanted }, options);
    const others = previews.agents.filter((it) => it !== agent).map((it) => previews.preview(it));
    const isShared = (unit: string) => previews.source(agent, unit)?.unit.garden === SHARED;
    const reworded = await reword(garden, lost, { ...options, others, isShared });
    const all = { ...options, others, isShared };
    const hard_to_find = args.probe === undefined ? await makeFindable(garden, args.unit ?? null, all) : [];
    const edits = await editsOf(agent, reworded, previews);
    const rewordings = edits.flatMap(({ rewording }) => rewording ?? []);
    const writes = args.write && !args['dry-run'];
    if (writes) (await import('../../../app/suggest/write-words.ts')).writeWords(rewordings, args.repo, world);
    const data = {
      effect: effectOf(writes, rewordings.length > 0),
      agent,
      k: options.k,
      lost: lost.length,
      ...reworded,
      hard_to_find,
      edits: edits.map(({ file, diff }) => ({ file, diff })),
      held: previews.quarantined,
    };
    return { data, text: toText(data, writes) };
  },
});

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
async function editsOf(agent: string, { suggestions }: Reworded, previews: PreviewGardens): Promise<UnitEdit[]> {
  const { patchOf, rewordUnit } = await import('../../../app/suggest/patch-unit.ts');
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

interface SuggestionSummary extends Reworded {
  readonly agent: string;
  readonly lost: number;
  readonly hard_to_find: readonly HardToFind[];
  readonly edits: readonly z.infer<typeof Edit>[];
  readonly held: readonly string[];
}

function toText(summary: SuggestionSummary, isWritten: boolean): string {
  const { agent, lost, suggestions, unsolved, won, hard_to_find, edits, held } = summary;
  const head = `${agent}: ${lost} probes are lost; ${won.length} of them would pass, ${unsolved.length} would not`;
  const lines = [
    head,
    ...suggestions.map((it) => `  “${it.probe}”: ${it.unit} ranks ${it.rank_after} with ${wordsOf(it)}`),
    ...unsolved.map((it) => `  “${it.probe}”: ${reasonOf(it)}`),
    ...hard_to_find.map(findabilityOf),
    ...held.map((file) => `  not read, since it would be quarantined: ${file}`),
    ...(suggestions.length > 0
      ? [PROVES_LESS, isWritten ? 'The words are written.' : 'Nothing was written; --write writes it.']
      : []),
  ];
  const diffs = edits.map(
    ({ file, diff }) => diff ?? `${file}: its YAML cannot be edited automatically; add the words by hand`,
  );
  // diffs are printed unescaped, so that they apply; files with hidden characters are quarantined and have no diff
  return [...lines.map(printable), ...diffs].join('\n');
}

/** The words that would make a unit findable, or that no word does. */
function findabilityOf({ unit, shared, description, keywords, rivals, ...of }: HardToFind): string {
  const [before, after] = [of.findability_before, of.findability_after].map((it) => it.toFixed(2));
  const all = [
    ...description.map((it) => `“${it}” in the description`),
    ...keywords.map((it) => `the keyword “${it}”`),
  ];
  const how =
    all.length === 0
      ? 'no added word makes it easier to find; describe how it differs'
      : `${after} with ${all.join(', ')}`;
  const nearest = rivals.length === 0 ? '' : `; nearest: ${rivals.map(({ name }) => name).join(', ')}`;
  return `  ${unit} is hard to find, findability ${before}: ${how}${nearest}${shared ? ' (shared)' : ''}`;
}

const PROVES_LESS =
  'A probe whose words became triggers proves less, and one that a trigger nearly copies no longer counts: add a probe that says the same in other words.';

function wordsOf({ intents, keywords, aliases, shared }: Suggestion): string {
  const kinds = [
    ...intents.map((it) => `the intent “${it}”`),
    ...keywords.map((it) => `the keyword “${it}”`),
    ...aliases.map((it) => `the alias ${it}`),
  ];
  return `${kinds.join(', ')}${shared ? ' (shared: every agent reads it; the probes of all agents were run)' : ''}`;
}

function reasonOf({ unit, reason, tried, costs }: UnsolvedProbe): string {
  if (reason === 'forbidden_comes')
    return `${unit} is forbidden, but found; words added to other units do not change that`;
  if (reason === 'nothing_wins' && tried === 0) return `${unit} and another required unit displace each other`;
  if (reason === 'nothing_wins') return `none of ${tried} wordings raises the rank of ${unit} enough`;
  return `the words that raise ${unit} lose ${costs.join(', ')}`;
}
