import { findCaptures, type Capture } from '../quality/captures.ts';
import { withoutPhrases } from '../recall/index/without-phrases.ts';
import { recallFact } from '../recall/recall-garden.ts';
import { byText } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';
import { indexUnit, type Contents } from './contents.ts';
import { certify, type Certified } from './coverage-gate.ts';
import type { GardenPlan } from './garden-plan.ts';
import { judgeCaptures } from './phrases/capture-gate.ts';
import { probeGarden, toRecallGarden } from './probe-gate.ts';
import type { UnitFacts } from './unit-facts.ts';

/**
 * Asks the index of a garden its probes, paraphrases of its triggers, and what its phrases capture.
 *
 * @param unitFacts the agent's own units and the shared ones
 * @param contents its files, the index among them
 */
export async function judgeGarden(
  context: CompileContext,
  plan: GardenPlan,
  unitFacts: readonly UnitFacts[],
  contents: Contents,
): Promise<Certified> {
  const probed = await probeGarden(context, plan, unitFacts, contents);
  const certified = await certify(context, plan, unitFacts, contents, probed.found);
  const captures = await capturesIn(context, plan, unitFacts, contents);
  const at = { ...context, deployment: context.org.deployment, name: plan.name, phrases: plan.phrases };
  const judged = judgeCaptures(at, contents.phrases, captures);
  return {
    ...certified,
    used: [...certified.used, ...judged.used],
    files: new Map([...certified.files, ...probed.files, ...judged.files]),
    faults: [...certified.faults, ...probed.faults, ...judged.faults],
  };
}

async function capturesIn(
  context: CompileContext,
  plan: GardenPlan,
  unitFacts: readonly UnitFacts[],
  contents: Contents,
): Promise<Capture[]> {
  if (contents.phrases.length === 0) return [];
  const sorted = [...unitFacts].sort((a, b) => byText(a.fact.name, b.fact.name));
  const facts = sorted.map(({ fact }) => recallFact(fact));
  const phrased = toRecallGarden(context, facts, contents);
  const at = { folder: context.sources.folder, countTokens: context.countTokens };
  const units = sorted.map(({ unit, fact }) => indexUnit(unit, fact.uri, [], at));
  const plain = { ...phrased, index: withoutPhrases(phrased.index, units) };
  const phrases = new Map(contents.phrases.map((it) => [it.name, it.phrases]));
  // those too that nearly copy a phrase, and count in no figure: the copy may be another unit's
  const probes = plan.probes?.set.probes ?? [];
  return findCaptures({ phrased, plain }, { phrases, probes }, context.model?.encoder ?? null, plan.trace.committed_at);
}
