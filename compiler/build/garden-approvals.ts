import type { FactVersion } from '../schema/bundle/fact.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import { canonicalName, canonicalNames } from '../schema/identity.ts';
import type { Approval, UsedApproval } from '../schema/source/approval.ts';
import { claimsOf, lapseOf, type Claim, type Lapse } from '../trust/approval.ts';
import { byText, sha256 } from '../trust/canonical.ts';
import { consentTo, hasNote } from '../trust/consent.ts';
import type { FiledApproval } from './approvals/decisions.ts';
import type { CompileContext } from './compile-context.ts';
import { authorsOf, legacyTexts, neededFor, type Authors, type TextHistory } from './unit-authors.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The rules for approvals, and the history that shows the authors. */
export type ApprovalRules = Pick<CompileContext, 'org' | 'decisions' | 'development'> & TextHistory;

/** The approvals of a garden, with the envelopes that prove them. */
export interface Approved {
  readonly used: readonly UsedApproval[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
}

/** The rule of a missing approval, and the front matter key that requires it. */
const RULES: Readonly<Record<string, [rule: RuleId, key: string]>> = {
  guarantee_load: ['guarantee_approval_required', 'guarantee_load'],
  force_position: ['position_approval_required', 'force_position'],
  task_types: ['task_types_approval_required', 'required_by_task_types'],
};

const LAPSES: Readonly<Record<Lapse, string>> = {
  other_deployment: 'is for another deployment',
  other_garden: 'is for another agent',
  other_unit: 'is for another unit',
  other_kind: 'is of another kind',
  other_value: 'approves another value',
  older_text: 'approves an older text or delivery',
  model_unnamed: 'names no model, as approvals of a bypass did before',
  other_model: 'approves another model',
  expired: 'has expired',
};

/** Checks every unit that requires an approval against the existing approvals (DESIGN §7). */
export function approveGarden(
  context: ApprovalRules,
  garden: string,
  unitFacts: readonly UnitFacts[],
  history: readonly FactVersion[],
): Approved {
  const { approvals } = context.decisions;
  const own = approvals.filter(({ approval }) => approval.garden === garden && approval.unit !== null);
  const used: UsedApproval[] = [];
  const files = new Map<string, Buffer>();
  const faults: Diagnostic[] = [];
  const required = new Set<string>();
  for (const it of unitFacts) {
    const { fallback } = it.fact;
    for (const claim of claimsOf(context.org.deployment, garden, it.fact, fallback?.digest ?? null)) {
      required.add(keyOf(claim));
      const legacy = fallback ? legacyTexts(context, fallback.path) : [];
      const authors = authorsOf({ fact: it.fact, history, legacy }, own, claim.kind, context.decisions);
      const consent = consentTo(claim, own, authors.names, context.decisions.at);
      if (consent.by.length < neededFor(context.decisions, authors.proven)) {
        faults.push(missing(context, it, claim, own, authors));
        continue;
      }
      const proof = { authors: [...authors.names].sort(byText), ...(!authors.proven && { unproven: true as const }) };
      used.push({ ...use(claim, consent.by, consent.given, files), ...proof });
    }
  }
  return { used, files, faults: [...faults, ...findUnneeded(own, required)] };
}

/** Adds the envelopes of approvals to a garden, and names them. */
export function use(
  claim: Pick<Claim, 'unit' | 'kind'>,
  by: readonly string[],
  given: readonly { readonly approval: Approval; readonly bytes: Buffer }[],
  files: Map<string, Buffer>,
): UsedApproval {
  const paths = given.map(({ bytes }) => {
    const path = `approvals/${sha256(bytes)}.json`;
    files.set(path, bytes);
    return path;
  });
  const expiries = given.flatMap(({ approval }) => approval.expires ?? []).sort(byText);
  const note = given.flatMap(({ approval }) => approval.note ?? []).join('\n');
  return {
    unit: claim.unit,
    kind: claim.kind,
    by: [...by],
    note: note === '' ? null : note,
    expires: expiries[0] ?? null,
    files: paths.sort(byText),
  };
}

function missing(
  context: Pick<ApprovalRules, 'decisions' | 'development'>,
  { unit, fact }: UnitFacts,
  claim: Claim,
  own: readonly FiledApproval[],
  { names, proven }: Authors,
): Diagnostic {
  const [rule, key] = RULES[claim.kind] ?? ['approval_invalid', 'description'];
  const authors = canonicalNames(names);
  const similar = own
    .filter(({ approval }) => approval.unit === claim.unit && approval.kind === claim.kind)
    .map((it) => `${it.file} ${describeApproval(it, claim, authors, context.decisions.at)}`);
  const why = similar.length === 0 ? 'there is no approval' : similar.join('; ');
  const { threshold } = context.decisions;
  const needed = neededFor(context.decisions, proven);
  const because = needed > threshold ? ', because no key of the trust root signed one of its commits' : '';
  const message = `${key} needs the approval of ${needed} administrator(s)${because}: ${why}`;
  const note = claim.kind === 'force_position' ? ' --note <what the review found>' : '';
  const command = `vade approve --kind ${claim.kind} --agent ${claim.garden} --unit ${fact.name} --key <PEM>${note}`;
  const help = `an administrator who did not write it runs: ${command}`;
  const severity = context.development ? 'warning' : 'error';
  return { ...diagnostic(rule, unit.file, message, help, unit.at(key), severity), details: { command } };
}

/** Why an approval of this unit and kind does not count; or for whom it does. */
export function describeApproval(it: FiledApproval, claim: Claim, authors: ReadonlySet<string>, at: string): string {
  const lapse = lapseOf(it, claim, at);
  if (lapse !== null) return LAPSES[lapse];
  if (!hasNote(it)) return 'has no note of a review';
  if (it.by.length === 0) return 'is signed by nobody who is an administrator both before this commit and after it';
  const others = it.by.filter((admin) => !authors.has(canonicalName(admin)));
  return others.length === 0 ? 'is signed by an author of the text' : `counts for ${others.join(', ')}`;
}

const keyOf = ({ unit, kind }: Pick<Claim, 'unit' | 'kind'>): string => JSON.stringify([unit, kind]);

/** Reports approvals that no unit requires any more. */
function findUnneeded(own: readonly FiledApproval[], required: ReadonlySet<string>): Diagnostic[] {
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
