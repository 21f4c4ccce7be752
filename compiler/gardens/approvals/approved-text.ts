import type { FactVersion } from '../../schema/bundle/fact.ts';
import { canonicalName, canonicalNames } from '../../schema/identity.ts';
import { byText } from '../../trust/canonical.ts';
import { writersOf } from '../../trust/consent.ts';
import type { FiledConsent } from './read-decisions.ts';

/** Source trust of a text that a human administrator read and approved (§21.4.3). */
const APPROVED_TRUST = 0.9;

/** A version with the administrators who approved exactly this text; their approval makes it verified. */
export function withApprovals(version: FactVersion, garden: string, approvals: readonly FiledConsent[]): FactVersion {
  const matching = approvals.filter(
    ({ approval }) =>
      approval.garden === garden &&
      approval.unit === version.name &&
      approval.digest === version.digest &&
      approval.source_digest === version.source_digest,
  );
  const writers = canonicalNames(writersOf(version));
  const by = new Set(matching.flatMap((it) => it.by).filter((admin) => !writers.has(canonicalName(admin))));
  if (by.size === 0) return version;
  const source_trust = Math.max(version.source_trust, APPROVED_TRUST);
  return { ...version, source_trust, verified: true, approved_by: [...by].sort(byText) };
}
