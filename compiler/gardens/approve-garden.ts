import type { FactVersion } from '../schema/bundle/fact.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import { canonicalNames } from '../schema/identity.ts';
import type { Approval, UsedApproval } from '../schema/source/approval.ts';
import { claimsOf, type Claim } from '../trust/approval.ts';
import { byText } from '../trust/canonical.ts';
import { consentTo } from '../trust/consent.ts';
import { neededFor, type Authors } from './approvals/needed.ts';
import type { FiledConsent } from './approvals/read-decisions.ts';
import { describeApproval, use, type Approved } from './approvals/use-filed.ts';
import type { CompileContext } from './compile-context.ts';
import { authorsOf, legacyTexts, type TextHistory } from './unit-authors.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The rules for approvals, and the history that shows the authors. */
export type GardenRules = Pick<CompileContext, 'org' | 'administratorDecisions' | 'development'> & TextHistory;

/** The rule of a missing approval, and the front matter key that requires it. */
const RULES: Readonly<Record<string, [rule: RuleId, key: string]>> = {
  guarantee_load: ['guarantee_approval_required', 'guarantee_load'],
  force_position: ['position_approval_required', 'force_position'],
  task_types: ['task_types_approval_required', 'required_by_task_types'],
};

/** Checks every unit that requires an approval against the existing approvals (DESIGN §7). */
export function approveGarden(
  context: GardenRules,
  garden: string,
  unitFacts: readonly UnitFacts[],
  history: readonly FactVersion[],
): Approved {
  const { approvals } = context.administratorDecisions;
  // those of phrases are judged with the index
  const isOfUnit = ({ unit, kind }: Approval) => unit !== null && kind !== 'phrase_capture';
  const own = approvals.filter(({ approval }) => approval.garden === garden && isOfUnit(approval));
  const used: UsedApproval[] = [];
  const files = new Map<string, Buffer>();
  const faults: Diagnostic[] = [];
  const required = new Set<string>();
  for (const it of unitFacts) {
    const { fallback } = it.fact;
    for (const claim of claimsOf(context.org.deployment, garden, it.fact, fallback?.digest ?? null)) {
      required.add(keyOf(claim));
      const legacy = fallback ? legacyTexts(context, fallback.path) : [];
      const authors = authorsOf({ fact: it.fact, history, legacy }, own, claim.kind, context.administratorDecisions);
      const consent = consentTo(claim, own, authors.names, context.administratorDecisions.at);
      if (consent.by.length < neededFor(context.administratorDecisions, authors.proven)) {
        faults.push(missing(context, it, claim, own, authors));
        continue;
      }
      const proof = { authors: [...authors.names].sort(byText), ...(!authors.proven && { unproven: true as const }) };
      used.push({ ...use(claim, consent.by, consent.given, files), ...proof });
    }
  }
  return { used, files, faults: [...faults, ...findUnneeded(own, required)] };
}

function missing(
  context: Pick<GardenRules, 'administratorDecisions' | 'development'>,
  { unit, fact }: UnitFacts,
  claim: Claim,
  own: readonly FiledConsent[],
  { names, proven }: Authors,
): Diagnostic {
  const [rule, key] = RULES[claim.kind] ?? ['approval_invalid', 'description'];
  const authors = canonicalNames(names);
  const similar = own
    .filter(({ approval }) => approval.unit === claim.unit && approval.kind === claim.kind)
    .map((it) => `${it.file} ${describeApproval(it, claim, authors, context.administratorDecisions.at)}`);
  const why = similar.length === 0 ? 'there is no approval' : similar.join('; ');
  const { threshold } = context.administratorDecisions;
  const needed = neededFor(context.administratorDecisions, proven);
  const because = needed > threshold ? ', because no key of the trust root signed one of its commits' : '';
  const message = `${key} needs the approval of ${needed} administrator(s)${because}: ${why}`;
  const note = claim.kind === 'force_position' ? ' --note <what the review found>' : '';
  const command = `vade approve --kind ${claim.kind} --agent ${claim.garden} --unit ${fact.name} --key <PEM>${note}`;
  const help = `an administrator who did not write it runs: ${command}`;
  const severity = context.development ? 'warning' : 'error';
  return { ...diagnostic(rule, unit.file, message, help, unit.at(key), severity), details: { command } };
}

const keyOf = ({ unit, kind }: Pick<Claim, 'unit' | 'kind'>): string => JSON.stringify([unit, kind]);

/** Reports approvals that no unit requires any more. */
function findUnneeded(own: readonly FiledConsent[], required: ReadonlySet<string>): Diagnostic[] {
  return own
    .filter(({ approval }) => !required.has(keyOf(approval)))
    .map(({ file, approval }) =>
      diagnostic(
        'approval_lapsed',
        file,
        `unit “${approval.unit ?? ''}” no longer requires ${approval.kind}`,
        'remove it',
      ),
    );
}
