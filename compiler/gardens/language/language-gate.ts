import { asText } from '../../lint/language.ts';
import { languageIn } from '../../quality/paraphrase/written-in.ts';
import type { TriggerPlace } from '../../quality/unit-coverage/faults.ts';
import { inEnglish, isMostlyOther, passes, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import type { UsedApproval } from '../../schema/source/approval.ts';
import { ENGLISH, LANGUAGES, languageOf } from '../../schema/source/language.ts';
import type { Org } from '../../schema/source/org.ts';
import { isPlaceholder } from '../../schema/source/placeholders.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import type { Unit } from '../../schema/source/unit.ts';
import type { ConfiguredAgent, ConfiguredProbes } from '../../sources/config.ts';
import { languageClaim, languageThreshold, lapseOf } from '../../trust/approval.ts';
import { consentTo, type Consent } from '../../trust/consent.ts';
import type { AdministratorDecisions } from '../approvals/read-decisions.ts';
import { use } from '../approvals/use-filed.ts';

/** The verdict on triggers in another language than English, of which no paraphrases are made. */
export interface LanguageVerdict {
  /** The units that the gate stops all the same: as if they had no text in another language. */
  readonly stopped: readonly UnitCoverage[];
  /** Stops the compile: most triggers are in another language, which is not declared or not approved. */
  readonly refusal: Diagnostic | null;
  readonly warnings: readonly Diagnostic[];
  readonly used: readonly UsedApproval[];
  /** The envelopes of the approvals. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The deployment, and the administrators who decide. */
interface LanguageContext {
  readonly org: Org;
  readonly root: TrustRoot;
  readonly administratorDecisions: AdministratorDecisions;
  readonly development: boolean;
}

/** The garden that is judged. */
interface JudgedGarden {
  readonly name: string;
  readonly agent: ConfiguredAgent;
  readonly probes: ConfiguredProbes | null;
}

/** Its units, as far as their language is concerned. */
export interface JudgedTexts {
  readonly facts: readonly Fact[];
  readonly units: readonly Unit[];
  readonly placeOf: TriggerPlace;
}

/**
 * Judges the triggers of an agent that are in another language than English. A few are reported; where they are most of
 * all, the language must be declared and approved. With a development key an approval may be missing.
 *
 * @param measured every unit of the garden
 */
export function judgeLanguage(
  context: LanguageContext,
  plan: JudgedGarden,
  texts: JudgedTexts,
  measured: readonly UnitCoverage[],
): LanguageVerdict {
  const stopped = measured.map(inEnglish).filter((it) => !passes(it));
  const concerned = measured.filter((it) => (it.other_language ?? []).length > 0);
  const isMost = isMostlyOther(measured, texts.facts);
  const none = { stopped, refusal: null, used: [], files: new Map<string, Buffer>() };
  const language = languageOf(context.org, plan.agent.config);
  if (language === ENGLISH) {
    if (isMost) return { ...none, refusal: undeclared(plan, texts, concerned), warnings: [] };
    return { ...none, warnings: adviceOn(plan, texts, concerned) };
  }
  if (concerned.length === 0) return { ...none, warnings: [] };
  const { claim, by, given, isApproved } = consentIn(context, plan, texts.facts);
  if (isMost && !isApproved && !context.development)
    return { ...none, refusal: unapproved(plan, texts, concerned, LANGUAGES[language]), warnings: [] };
  const files = new Map<string, Buffer>();
  const used = isApproved ? [use(claim, by, given, files)] : [];
  const why = isApproved ? 'as administrators approved' : isMost ? MUST_APPROVE : 'which are less than half of them';
  return { ...none, used, files, warnings: [unjudged(context, plan, concerned, why)] };
}

/** The approval of the declared language. */
function consentIn(
  { org, administratorDecisions: decided, root }: LanguageContext,
  plan: JudgedGarden,
  facts: readonly Fact[],
) {
  const { config } = plan.agent;
  const claim = languageClaim(org.deployment, plan.name, config.agent_id, languageOf(org, config));
  const consent: Consent = consentTo(claim, decided.approvals, new Set(), decided.at);
  const needed = Math.max(languageThreshold(facts, root), decided.threshold);
  return { claim, ...consent, isApproved: consent.by.length >= needed };
}

const MUST_APPROVE = 'which administrators must approve before a bundle is signed';

/** Command with which administrators approve it, for the help of a diagnostic. */
const languageCommand = ({ name }: JudgedGarden) => `vade approve --kind other_language --agent ${name} --key <PEM>`;

/** Maximum number of triggers that a message names. */
const NAMED = 3;

/** The triggers in another language, with the first places. */
function namedTriggers({ placeOf }: JudgedTexts, units: readonly UnitCoverage[]) {
  const all = units.flatMap(({ name, other_language: others = [] }) =>
    others.map((trigger) => ({ trigger, ...placeOf(name, trigger) })),
  );
  const named = all.slice(0, NAMED).map(({ trigger, file, at }) => `“${trigger}” (${file}:${at?.line ?? 1})`);
  const more = all.length > NAMED ? `, and ${all.length - NAMED} more` : '';
  return { all, named: named.join(', ') + more };
}

/** The language of most units; the unit of a new handbook that nobody has written does not count. */
function spokenIn(units: readonly Unit[]) {
  const texts = units.filter(({ content }) => !isPlaceholder(content)).map(asText);
  const language = languageIn(texts);
  return language === ENGLISH ? null : language;
}

const declaring = (plan: JudgedGarden, language: string) =>
  `declare it: add the line “language: ${language}” to ${plan.agent.file} or org.yaml; a signed bundle then needs an approval: ${languageCommand(plan)}`;

function refusalOf(texts: JudgedTexts, units: readonly UnitCoverage[], what: string, help: string): Diagnostic {
  const { all, named } = namedTriggers(texts, units);
  const message = `${what}, of which no paraphrase is made, so nothing shows that they find their units: ${named}`;
  const [first] = all;
  return diagnostic('coverage_not_evaluated', first?.file ?? '', message, help, first?.at);
}

function undeclared(plan: JudgedGarden, texts: JudgedTexts, units: readonly UnitCoverage[]): Diagnostic {
  const language = spokenIn(texts.units);
  const said = language === null ? 'another language than English' : LANGUAGES[language];
  const what = `most triggers of ${plan.name} are in ${said}`;
  return refusalOf(texts, units, what, declaring(plan, language ?? '<its code, such as de>'));
}

function unapproved(plan: JudgedGarden, texts: JudgedTexts, units: readonly UnitCoverage[], language: string) {
  const what = `most triggers of ${plan.name} are in ${language}`;
  return refusalOf(texts, units, what, `administrators run: ${languageCommand(plan)}`);
}

/** Warnings of a handbook in English: it is in another language, or some of its triggers look so. */
function adviceOn(plan: JudgedGarden, texts: JudgedTexts, units: readonly UnitCoverage[]): Diagnostic[] {
  const language = spokenIn(texts.units);
  if (language !== null) {
    const message = `most units of ${plan.name} are in ${LANGUAGES[language]}, but the handbook declares English`;
    return [diagnostic('language_differs', plan.agent.file, message, declaring(plan, language))];
  }
  return units.map((it) => {
    const { all, named } = namedTriggers(texts, [it]);
    const message = `${it.name} has a trigger that looks like another language than English, of which no paraphrase is made: ${named}`;
    const help =
      'write it in English where it is to be found by other words; a handbook in another language declares it: “language: <code>” in org.yaml or agent.yaml';
    return diagnostic('coverage_other_language', all[0]?.file ?? '', message, help, all[0]?.at);
  });
}

const WITHOUT_VECTORS =
  '; recall finds them by their words alone, since the built-in vectors know only English (vade model pin names another model)';

function unjudged(
  { org }: LanguageContext,
  plan: JudgedGarden,
  units: readonly UnitCoverage[],
  why: string,
): Diagnostic {
  const language = LANGUAGES[languageOf(org, plan.agent.config)];
  const probed = new Set((plan.probes?.set.probes ?? []).flatMap((it) => it.required));
  const bare = units.filter(({ name }) => !probed.has(name)).map(({ name }) => name);
  const lacking =
    bare.length === 0 ? 'each has a probe' : `${bare.length} of them have no probe: ${bare.slice(0, 5).join(', ')}`;
  const message = `the coverage gate does not check ${units.length} units of ${plan.name} in ${language}, ${why}; ${lacking}${org.model === 'builtin' ? WITHOUT_VECTORS : ''}`;
  const probes = `write blind probes instead: vade brief probes --agent ${plan.name} --missing`;
  const help = why === MUST_APPROVE ? `administrators run: ${languageCommand(plan)}; ${probes}` : probes;
  return diagnostic('coverage_other_language', plan.agent.file, message, help);
}

/** Reports approvals of this kind that let nothing through any more. */
export function findLapsed({ org, administratorDecisions }: LanguageContext, plan: JudgedGarden): Diagnostic[] {
  const { agent, name } = plan;
  const claim = languageClaim(org.deployment, name, agent.config.agent_id, languageOf(org, agent.config));
  const own = administratorDecisions.approvals.filter(
    ({ approval }) => approval.garden === name && approval.kind === claim.kind,
  );
  return own.flatMap((it) => {
    if (lapseOf(it, claim, administratorDecisions.at) === null) return [];
    const message = `the approval of texts in “${it.approval.value}” has no effect: it has expired, or ${name} is in “${claim.value}” now`;
    return [diagnostic('approval_lapsed', it.file, message, 'remove it, or ask the administrators for a new one')];
  });
}
