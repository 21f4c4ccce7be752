import type { Diagnostic } from '../../schema/diagnostics.ts';
import { canonicalName } from '../../schema/identity.ts';
import type { Approval, UsedApproval } from '../../schema/source/approval.ts';
import { lapseOf, type Claim, type Lapse } from '../../trust/approval.ts';
import { byText, sha256 } from '../../trust/canonical.ts';
import { hasNote } from '../../trust/consent.ts';
import type { FiledConsent } from './read-decisions.ts';

/** The approvals of a garden, with the envelopes that prove them. */
export interface Approved {
  readonly used: readonly UsedApproval[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
}

const LAPSES: Readonly<Record<Lapse, string>> = {
  other_deployment: 'is for another deployment',
  other_garden: 'is for another agent',
  other_unit: 'is for another unit',
  other_kind: 'is of another kind',
  other_value: 'approves another value',
  older_text: 'approves an older text or delivery',
  other_model: 'approves another model',
  expired: 'has expired',
};

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

/** Why an approval of this unit and kind does not count; or for whom it does. */
export function describeApproval(it: FiledConsent, claim: Claim, authors: ReadonlySet<string>, at: string): string {
  const lapse = lapseOf(it, claim, at);
  if (lapse !== null) return LAPSES[lapse];
  if (!hasNote(it)) return 'has no note of a review';
  if (it.by.length === 0) return 'has no signer who is an administrator both before and after this commit';
  const others = it.by.filter((admin) => !authors.has(canonicalName(admin)));
  return others.length === 0 ? 'is signed by an author of the text' : `counts for ${others.join(', ')}`;
}
