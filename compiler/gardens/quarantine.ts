import { lintUnit } from '../lint/lint-unit.ts';
import type { FactVersion } from '../schema/bundle/fact.ts';
import type { QuarantinedFact, QuarantineReason } from '../schema/bundle/quarantine.ts';
import { diagnostic, SECURITY_RULES, type Diagnostic } from '../schema/diagnostics.ts';
import type { Unit } from '../schema/source/unit.ts';
import { isWithdrawn } from '../trust/withdrawal.ts';
import type { AdministratorDecisions } from './approvals/read-decisions.ts';
import type { CompileContext } from './compile-context.ts';
import { screenTexts } from './threads/past-texts.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The rules by which the texts of a garden are screened. */
export type ScreeningRules = Pick<
  CompileContext,
  'org' | 'administratorDecisions' | 'allowQuarantine' | 'threads' | 'kept'
>;

/** A garden's facts, without the quarantined ones. */
export interface Screened {
  readonly unitFacts: readonly UnitFacts[];
  readonly history: readonly FactVersion[];
  readonly quarantined: readonly QuarantinedFact[];
  readonly faults: readonly Diagnostic[];
}

/**
 * Quarantine (DESIGN §7): a fact that was withdrawn, whose text breaks a rule of class security, or that is unverified
 * although the deployment requires verification, is in no index, manifest or preload. The bundle keeps its digest but
 * not its text, so that the version cannot return with another text.
 *
 * @param textOf a unit's whole source, by its name
 */
export async function screen(
  context: ScreeningRules,
  unitFacts: readonly UnitFacts[],
  history: readonly FactVersion[],
  textOf: (name: string) => string,
): Promise<Screened> {
  const served: UnitFacts[] = [];
  const quarantined: QuarantinedFact[] = [];
  const faults: Diagnostic[] = [];
  const past: FactVersion[] = [];
  past.push(...(await screenHistory(context, history)));
  for (const it of unitFacts) {
    const { reason, found } = await judgeVersion(context, it, textOf(it.unit.name));
    if (reason === null) {
      served.push(it);
      continue;
    }
    const { name, uri, digest } = it.fact;
    quarantined.push({
      name,
      uri,
      digest,
      file: it.unit.file,
      reason,
      rules: [...new Set(found.map(({ rule }) => rule))],
    });
    past.push(withhold(it.version, reason));
    if (it.unit.skill && reason !== 'withdrawn') {
      faults.push(leftOutSkill(it.unit, reason, found));
      continue;
    }
    // a withdrawal is known to the administrators; any other reason is reported as lint reports it
    const isKnown = reason === 'withdrawn' || context.allowQuarantine;
    faults.push(...(isKnown ? found.map((one) => ({ ...one, severity: 'warning' as const })) : found));
    faults.push(toFault(it, reason));
  }
  past.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version - b.version));
  return { unitFacts: served, history: past, quarantined, faults };
}

/** The inputs for judging a version. */
type Rules = Pick<CompileContext, 'org' | 'kept'> & {
  readonly administratorDecisions: Pick<AdministratorDecisions, 'withdrawn'>;
};

/**
 * Why the current version is quarantined, with the lint findings; null if it is not.
 *
 * @param text its whole source
 */
export async function judgeVersion(
  rules: Rules,
  { fact, unit }: { readonly fact: FactVersion; readonly unit: Unit },
  text: string,
): Promise<{ reason: QuarantineReason | null; found: readonly Diagnostic[] }> {
  const found = (await lintUnit(unit, text, undefined, rules.kept)).filter(({ rule }) => SECURITY_RULES.has(rule));
  return { reason: reasonFor(rules, fact, found.length > 0), found };
}

/** Number of texts that a thread receives at once. */
const AT_ONCE = 200;

/** The same rules apply to old versions, because a server returns them by their URI. */
async function screenHistory(
  { administratorDecisions, threads, kept }: ScreeningRules,
  history: readonly FactVersion[],
): Promise<FactVersion[]> {
  const isPublic = (version: FactVersion) => !isWithdrawn(administratorDecisions.withdrawn, version);
  const texts = history.filter(isPublic).map(({ file, content }) => ({ file, content }));
  const parts = Array.from({ length: Math.ceil(texts.length / AT_ONCE) }, (_, part) =>
    texts.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  const screened = await Promise.all(
    parts.map(async (part) => (await threads?.screen(part)) ?? screenTexts(part, kept)),
  );
  const unsafe = screened.flat();
  let at = 0;
  return history.map((version) => {
    if (!isPublic(version)) return withhold(version, 'withdrawn');
    return unsafe[at++] ? withhold(version, 'security') : version;
  });
}

function reasonFor(rules: Rules, fact: FactVersion, unsafe: boolean): QuarantineReason | null {
  if (isWithdrawn(rules.administratorDecisions.withdrawn, fact)) return 'withdrawn';
  if (unsafe) return 'security';
  return rules.org.require_verified && !fact.verified ? 'unverified' : null;
}

function withhold(version: FactVersion, withheld: QuarantineReason): FactVersion {
  return { ...version, content: '', withheld };
}

const HELP: Readonly<Record<QuarantineReason, string>> = {
  withdrawn: 'change the text: the withdrawal does not apply to its next version',
  security: 'fix the diagnostics of vade lint; --allow-quarantine compiles the other units without it',
  unverified: 'sign the commit with a key of the trust root, or have an administrator approve the text',
};

function toFault({ unit }: UnitFacts, reason: QuarantineReason): Diagnostic {
  return diagnostic('quarantined', unit.file, `the unit is quarantined: ${reason}`, HELP[reason]);
}

/** One warning for each skill: it is written for its host, and stops nothing here. */
export function leftOutSkill({ file }: Unit, reason: QuarantineReason, found: readonly Diagnostic[]): Diagnostic {
  const [first] = found;
  const more = found.length > 1 ? `; ${found.length} such places` : '';
  const why = first ? `[${first.rule}] ${first.message}${more}` : reason;
  return diagnostic('skill_left_out', file, `the skill is left out: ${why}`, first?.help ?? HELP[reason], first);
}

/** Units that an agent requires (§21.1.5 S2): the heartbeat contract and guaranteed units. */
export function checkNeeded(quarantined: readonly QuarantinedFact[], needed: ReadonlySet<string>): Diagnostic[] {
  return quarantined
    .filter(({ name }) => needed.has(name))
    .map(({ name, file, reason }) =>
      diagnostic(
        'quarantine_needed',
        file,
        `“${name}” is quarantined (${reason}), but its agent requires it`,
        HELP[reason],
      ),
    );
}
