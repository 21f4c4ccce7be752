import { buildPreviewGarden, type PreviewInputs } from '../../gardens/preview.ts';
import { measureCoverage } from '../../quality/unit-coverage/coverage.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { passes, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { isFresh, type UnitDraft } from './drafts.ts';
import { reachable, repaired, type LintInputs } from './lint-proposal.ts';

/** The inputs for judging a proposal: the gate of a compile, over the garden that the proposal would make. */
export interface SettleInputs extends PreviewInputs, LintInputs {
  readonly lexicon: Lexicon;
  /** ISO 8601. */
  readonly now: string;
  /** Called between steps that take long for many sections; may throw to end the work. */
  readonly pause?: () => Promise<void>;
}

/**
 * Runs a proposal through the coverage gate (§21.8.3) until a compile takes it: of a unit that fails, the trigger that
 * most of the gate's findings are about goes, and then the next one. A unit without any is found by its description.
 */
export async function settleDrafts(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<readonly UnitDraft[]> {
  let now = await keepingKnown(drafts, inputs);
  for (;;) {
    now = reachable(repaired(now, inputs, isFresh), inputs, isFresh);
    const { failing, mute } = await refusedUnits(now, inputs);
    const next = now.map((it) => withoutWorst(it, failing.get(it.entry.name)));
    if (next.every((it, i) => it === now[i]))
      return now.map((it) => (mute.has(it.entry.name) ? { ...it, isJudged: false } : it));
    now = next;
  }
}

/** Known units keep their triggers where they pass with them; the others get some as any section does. */
async function keepingKnown(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<readonly UnitDraft[]> {
  if (!drafts.some((it) => it.isKnown)) return drafts;
  const { failing } = await refusedUnits(drafts, inputs);
  return drafts.map((it) => (failing.has(it.entry.name) ? { ...it, isKnown: false } : it));
}

function withoutWorst(draft: UnitDraft, refused: UnitCoverage | undefined): UnitDraft {
  const intents = draft.entry.load_triggers?.intents ?? [];
  if (refused === undefined || draft.current !== undefined || intents.length === 0) return draft;
  const { misses, text_rules, not_evaluated } = refused;
  const findings = [...misses, ...text_rules.flatMap((it) => (it.blocks ? it.examples : []))];
  const count = (it: string) => findings.filter(({ intent }) => intent === it).length;
  const worst = not_evaluated[0] ?? intents.toSorted((a, b) => count(b) - count(a))[0];
  const load_triggers = { ...draft.entry.load_triggers, intents: intents.filter((it) => it !== worst) };
  return { ...draft, entry: { ...draft.entry, load_triggers } };
}

async function gardenOf(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<RecallGarden> {
  await inputs.pause?.();
  const units = drafts.flatMap((it) => inputs.toUnit(it) ?? []);
  return buildPreviewGarden([...units, ...inputs.others], inputs);
}

const onlyRepeats = ({ text_rules }: UnitCoverage) =>
  text_rules.some(({ rule, failed }) => rule === 'coverage_repetition' && failed > 0);

/**
 * The units that a compile would refuse, and those that the gate cannot judge, because of none of their triggers a
 * paraphrase can be made, as in another language than English. A low findability is no reason: it only warns.
 */
export async function refusedUnits(
  drafts: readonly UnitDraft[],
  inputs: SettleInputs,
): Promise<{ failing: ReadonlyMap<string, UnitCoverage>; mute: ReadonlySet<string> }> {
  const { encoder, lexicon, now, pause } = inputs;
  const garden = await gardenOf(drafts, inputs);
  const judged = garden.facts.map(({ name, delivery: { load_triggers, description } }) => {
    return { name, intents: load_triggers.intents, description };
  });
  await pause?.();
  const { units } = await measureCoverage(garden, judged, { encode: encoder, lexicon }, now);
  const refused = units.filter((it) => !passes(it));
  const failing = refused.filter((it) => it.paraphrases > 0 || onlyRepeats(it));
  return {
    failing: new Map(failing.map((it) => [it.name, it])),
    mute: new Set(refused.filter((it) => !failing.includes(it)).map(({ name }) => name)),
  };
}
