import { isWithdrawn } from '../../trust/withdrawal.ts';
import type { SourceHistory, SourceVersion } from './history.ts';

/** A version as `vade log` lists it: who wrote, signed and approved it, and whether it is in force. */
export function versionEntry(it: SourceVersion, { inForce, approvals }: SourceHistory, withdrawn: ReadonlySet<string>) {
  const withheld = it.withheld ?? (isWithdrawn(withdrawn, it) ? 'withdrawn' : null);
  const current = inForce?.uri === it.uri;
  const used = current ? approvals : [];
  return {
    version: it.version,
    uri: it.uri,
    in_force: current && withheld === null,
    created_at: it.created_at,
    valid_until: it.valid_until,
    authored_by: it.authored_by,
    coauthored_by: [...(it.coauthored_by ?? [])],
    signed_by: it.signed_by ?? null,
    approved_by: [...(it.approved_by ?? [])],
    approvals: used.map(({ kind, by, note }) => `${kind} by ${by.join(', ')}${note === null ? '' : `: ${note}`}`),
    verified: it.verified,
    source_trust: it.source_trust,
    derived_from: it.derived_from,
    digest: it.digest,
    commit: it.commit,
    withheld,
  };
}
