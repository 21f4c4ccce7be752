import { inEnglish, passes, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import type { UsedApproval } from '../../schema/source/approval.ts';
import { ENGLISH, LANGUAGES, languageOf } from '../../schema/source/language.ts';
import type { Org } from '../../schema/source/org.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import type { ConfiguredAgent, ConfiguredProbes } from '../../sources/config.ts';
import { languageClaim, languageThreshold, lapseOf } from '../../trust/approval.ts';
import { consentTo } from '../../trust/consent.ts';
import type { AdministratorDecisions } from '../approvals/read-decisions.ts';
import { use } from '../approvals/use-filed.ts';

/** The outcome for units that the coverage gate lets through because they are in another language. */
export interface LetThrough {
  /** The units that it still stops, as if they had no text in another language. */
  readonly stopped: readonly UnitCoverage[];
  readonly used: readonly UsedApproval[];
  /** The envelopes of the approvals. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
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

/**
 * Lets units through of which no paraphrase can be made because they are in another language than English, if that is
 * declared and approved; with a development key an approval may be missing. Null otherwise.
 *
 * @param failing units that the gate stops
 */
export function letLanguageThrough(
  context: LanguageContext,
  plan: JudgedGarden,
  facts: readonly Fact[],
  failing: readonly UnitCoverage[],
): LetThrough | null {
  const { org, administratorDecisions, root, development } = context;
  const concerned = failing.filter((it) => (it.other_language ?? []).length > 0);
  const language = languageOf(org, plan.agent.config);
  if (concerned.length === 0 || language === ENGLISH) return null;
  const claim = languageClaim(org.deployment, plan.name, plan.agent.config.agent_id, language);
  const { by, given } = consentTo(claim, administratorDecisions.approvals, new Set(), administratorDecisions.at);
  const isApproved = by.length >= languageThreshold(facts, root);
  if (!isApproved && !development) return null;
  const files = new Map<string, Buffer>();
  return {
    stopped: failing.map(inEnglish).filter((it) => !passes(it)),
    used: isApproved ? [use(claim, by, given, files)] : [],
    files,
    faults: [tell(plan, concerned, LANGUAGES[language], isApproved)],
  };
}

/** Command with which administrators approve it, for the help of a diagnostic. */
const languageCommand = ({ name }: JudgedGarden) => `vade approve --kind other_language --agent ${name} --key <PEM>`;

/** Steps that let the gate pass a text in another language than English. */
export function languageHelp({ org }: Pick<LanguageContext, 'org'>, plan: JudgedGarden): string {
  const language = languageOf(org, plan.agent.config);
  const approve = `let administrators run: ${languageCommand(plan)}`;
  const instead = 'with a development key, vade compile --dev --skip-coverage-gate needs no approval';
  if (language === ENGLISH)
    return `a handbook in another language declares it (language: in org.yaml); then ${approve}; ${instead}`;
  return `for ${LANGUAGES[language]}, which this handbook is in, ${approve}; ${instead}`;
}

function tell(plan: JudgedGarden, units: readonly UnitCoverage[], language: string, isApproved: boolean): Diagnostic {
  const probed = new Set((plan.probes?.set.probes ?? []).flatMap((it) => it.required));
  const bare = units.filter(({ name }) => !probed.has(name)).map(({ name }) => name);
  const lacking =
    bare.length === 0 ? 'each has a probe' : `${bare.length} of them have no probe: ${bare.slice(0, 5).join(', ')}`;
  const why = isApproved ? 'as administrators approved' : 'which administrators must approve before a bundle is signed';
  const message = `the coverage gate does not check ${units.length} units of ${plan.name} in ${language}, ${why}; ${lacking}`;
  const probes = `write blind probes instead: vade brief probes --agent ${plan.name} --missing`;
  const help = isApproved ? probes : `administrators run: ${languageCommand(plan)}; ${probes}`;
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
