import {
  coverageFaults,
  findabilityWarning,
  refusedLanguage,
  type TriggerPlace,
} from '../quality/unit-coverage/faults.ts';
import { SCORING } from '../recall/rank/scoring.ts';
import { recallFact } from '../recall/recall-garden.ts';
import { COVERAGE_K, COVERAGE_THRESHOLD, untriggeredIn, type Coverage } from '../schema/bundle/coverage.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { canonicalNames } from '../schema/identity.ts';
import { instant } from '../schema/primitives.ts';
import type { UsedApproval } from '../schema/source/approval.ts';
import type { Claim } from '../trust/approval.ts';
import { byText, canonicalBytes, canonicalJson, sha256 } from '../trust/canonical.ts';
import { bindingOf, bypassClaim, bypassThreshold } from '../trust/certificate.ts';
import { consentTo, isProven, writersOf } from '../trust/consent.ts';
import { neededFor } from './approvals/needed.ts';
import { describeApproval, use } from './approvals/use-filed.ts';
import type { CompileContext, TrustDecisions } from './compile-context.ts';
import type { Contents } from './contents.ts';
import type { GardenPlan } from './garden-plan.ts';
import { findLapsed, judgeLanguage, type JudgedTexts } from './language/language-gate.ts';
import { modelVersion, toRecallGarden } from './probe-gate.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The inputs of the coverage gate, and the administrators who may bypass it. */
export type CoverageContext = TrustDecisions &
  Pick<CompileContext, 'org' | 'model' | 'graphs' | 'gate' | 'threads' | 'previous'>;

/** A garden's certificate, or the diagnostics that prevent it. */
export interface Certified {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly used: readonly UsedApproval[];
  readonly recertify_by: string | null;
  readonly faults: readonly Diagnostic[];
  /** Units of which there is nothing to judge. */
  readonly untriggered: readonly string[];
}

/** §21.8.3 S10: a garden that bypassed the gate must pass it within this many seconds. */
const RECERTIFY_SECONDS = 7 * 24 * 60 * 60;

/**
 * The coverage gate (§21.8.3): every unit that an agent can recall is found by paraphrases of its own triggers.
 *
 * @param unitFacts the agent's own units and the shared ones
 * @param contents its files, the index among them
 * @param probed units that their probes find, which no measure of paraphrases shows
 */
export async function certify(
  context: CoverageContext,
  plan: GardenPlan,
  unitFacts: readonly UnitFacts[],
  contents: Contents,
  probed: ReadonlySet<string> = new Set(),
): Promise<Certified> {
  const facts = unitFacts.map((it) => it.fact).sort((a, b) => byText(a.name, b.name));
  const { gate, model } = context;
  const index = [...contents.files].filter(([path]) => path.startsWith('index/'));
  const bound = {
    index: new Map(index.map(([path, bytes]) => [path, sha256(bytes)])),
    model: model?.pin ?? null,
    generator: gate.generator,
    scoring: SCORING,
    facts,
  };
  const binding = bindingOf(bound);
  const judged = previousResult(context, plan, binding, facts) ?? (await judge(context, plan, unitFacts, contents));
  const coverage: Coverage = {
    format: 1,
    k: COVERAGE_K,
    threshold: COVERAGE_THRESHOLD,
    evaluated_at: plan.trace.committed_at,
    embedding_model_version: model === null ? null : modelVersion(model.pin),
    binding,
    ...judged,
  };
  const files = new Map([['coverage.json', canonicalBytes(coverage)]]);
  const placeOf = triggerPlaces(unitFacts);
  const inGarden = namesGarden(plan);
  const unproven = coverage.units.filter(({ name }) => !probed.has(name));
  const warnings = unproven.flatMap((it) => findabilityWarning(it, placeOf)).map(inGarden);
  const texts = { facts, units: unitFacts.flatMap(({ unit }) => (unit.skill ? [] : unit)), placeOf };
  const judgement = letThrough(context, plan, texts, coverage, { files, warnings });
  return { ...judgement, untriggered: untriggeredIn(coverage.units) };
}

type Judgement = Omit<Certified, 'untriggered'>;

/** Lets failing units through if their language is approved or the gate is bypassed; otherwise they are faults. */
function letThrough(
  context: CoverageContext,
  plan: GardenPlan,
  texts: JudgedTexts,
  { units }: Coverage,
  { files, warnings }: { readonly files: ReadonlyMap<string, Buffer>; readonly warnings: readonly Diagnostic[] },
): Judgement {
  const { gate } = context;
  const spoken = judgeLanguage(context, plan, texts, units);
  const inGarden = namesGarden(plan);
  const told = [...warnings, ...spoken.warnings, ...findLapsed(context, plan)];
  const use = { skipped: gate.skip, bypass: bypassHelp(plan) };
  const refused = spoken.refusal === null ? [] : [refusedLanguage(spoken.refusal, use)];
  const failures = [
    ...refused,
    ...spoken.stopped.flatMap((it) => coverageFaults(it, texts.placeOf, use)).map(inGarden),
  ];
  if (failures.length === 0) {
    return { files: new Map([...files, ...spoken.files]), used: spoken.used, recertify_by: null, faults: told };
  }
  if (!gate.skip) return { files, used: [], recertify_by: null, faults: [...failures, ...told] };
  return bypass(context, plan, texts.facts, files, [...failures, ...told]);
}

/** Says in which agent's garden a shared unit has a fault: it is judged in each, beside other units. */
function namesGarden({ name, site }: GardenPlan): (fault: Diagnostic) => Diagnostic {
  const own = new Set(site.units.map(({ path }) => path));
  return (fault) => (own.has(fault.file) ? fault : { ...fault, message: `for ${name}, ${fault.message}` });
}

function triggerPlaces(unitFacts: readonly UnitFacts[]): TriggerPlace {
  return (name, trigger) => {
    const unit = unitFacts.find(({ fact }) => fact.name === name)?.unit;
    if (unit === undefined) return { file: name, at: undefined };
    if (trigger === undefined) return { file: unit.file, at: unit.at('load_triggers.intents') };
    const index = unit.delivery.load_triggers.intents.indexOf(trigger);
    return { file: unit.file, at: index < 0 ? unit.at('description') : unit.at('load_triggers.intents', index) };
  };
}

const approveCommand = ({ name }: GardenPlan) => `vade approve --kind skip_coverage_gate --agent ${name} --key <PEM>`;

/** Command with which administrators bypass the gate, for the help of a diagnostic. */
function bypassHelp(plan: GardenPlan): string {
  return `administrators who wrote none of it run: ${approveCommand(plan)}; then vade compile --skip-coverage-gate`;
}

/**
 * The result in the previous bundle, if none of its inputs has changed and the units are the same. It is signed anew,
 * so keys that sign bundles now must have signed it: the holder of a retired one could write any result.
 */
function previousResult(
  { previous, root, development }: Pick<CoverageContext, 'previous' | 'root' | 'development'>,
  { name, trace }: GardenPlan,
  binding: Coverage['binding'],
  facts: readonly UnitFacts['fact'][],
) {
  const { keyids, threshold } = root.roles.bundle;
  const present = previous?.signed_by.filter((it) => keyids.includes(it)) ?? [];
  if (present.length < threshold && !development) return null;
  const before = previous?.coverage(name);
  if (!before || canonicalJson(before.binding) !== canonicalJson(binding)) return null;
  const at = Date.parse(trace.committed_at);
  const inForce = facts.filter(({ content, fallback, valid_until, skill }) => {
    if (skill) return false;
    if (fallback !== null) return true;
    return content !== '' && (valid_until === null || Date.parse(valid_until) > at);
  });
  if (before.units.map((it) => it.name).join() !== inForce.map((it) => it.name).join()) return null;
  return { units: before.units, diversity: before.diversity };
}

async function judge(context: CoverageContext, plan: GardenPlan, unitFacts: readonly UnitFacts[], contents: Contents) {
  const { gate, model, threads } = context;
  const now = plan.trace.committed_at;
  const facts = unitFacts.map((it) => recallFact(it.fact)).sort((a, b) => byText(a.name, b.name));
  const phrases = new Map(contents.phrases.map((it) => [it.name, it.phrases]));
  // a skill has no triggers that could be paraphrased: its probes judge it
  const written = facts.filter(({ skill }) => skill === undefined);
  const units = written.map(({ name, delivery }) => ({
    name,
    intents: delivery.load_triggers.intents,
    description: delivery.description,
    phrases: phrases.get(name) ?? [],
  }));
  const files = new Map([...contents.files].filter(([path]) => path.startsWith('index/')));
  const apart = await threads?.judge({ files, facts, units, model: model?.pin.name ?? null, now });
  return apart ?? gate.judge(toRecallGarden(context, facts, contents), units, model?.encoder ?? null, now);
}

/** Why the approvals of this garden's bypass do not count. */
function whyNone({ administratorDecisions }: CoverageContext, claim: Claim, authors: ReadonlySet<string>): string {
  const names = canonicalNames(authors);
  const similar = administratorDecisions.approvals
    .filter(({ approval }) => approval.garden === claim.garden && approval.kind === claim.kind)
    .map((it) => `${it.file} ${describeApproval(it, claim, names, administratorDecisions.at)}`);
  return similar.length === 0 ? 'there is no approval' : similar.join('; ');
}

/** §21.8.3 S7, S10: administrators may let a garden bypass the gate for a week. */
function bypass(
  context: CoverageContext,
  plan: GardenPlan,
  facts: readonly UnitFacts['fact'][],
  judged: ReadonlyMap<string, Buffer>,
  failures: readonly Diagnostic[],
): Judgement {
  const claim = bypassClaim(context.org.deployment, plan.name, { facts, model: context.model?.pin ?? null });
  const authors = new Set(facts.flatMap(writersOf));
  const consent = consentTo(
    claim,
    context.administratorDecisions.approvals,
    authors,
    context.administratorDecisions.at,
  );
  const needed = Math.max(
    bypassThreshold(facts, context.root),
    neededFor(context.administratorDecisions, facts.every(isProven)),
  );
  const files = new Map(judged);
  const recertify_by = instant(Date.parse(plan.trace.committed_at) / 1000 + RECERTIFY_SECONDS);
  if (context.development) return { files, used: [], recertify_by, faults: failures };
  if (consent.by.length < needed) {
    const why = whyNone(context, claim, authors);
    const message = `bypassing the coverage gate requires ${needed} administrator(s); ${consent.by.length} approved exactly these texts with this model: ${why}`;
    const needs = diagnostic('bypass_approval_required', plan.agent.file, message, bypassHelp(plan));
    return {
      files,
      used: [],
      recertify_by,
      faults: [...failures, { ...needs, details: { command: approveCommand(plan) } }],
    };
  }
  const used = [use(claim, consent.by, consent.given, files)];
  return { files, used, recertify_by, faults: failures };
}
