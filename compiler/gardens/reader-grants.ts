import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { lapseOf } from '../trust/approval.ts';
import { byText } from '../trust/canonical.ts';
import { consentTo } from '../trust/consent.ts';
import { grantClaim } from '../trust/grant.ts';
import type { FiledConsent } from './approvals/read-decisions.ts';
import { use } from './approvals/use-filed.ts';
import type { CompileContext } from './compile-context.ts';
import type { GardenPlan } from './garden-plan.ts';
import type { VersionedUnits } from './versioned-units.ts';

/**
 * Adds grants of administrators for other agents (§21.4.4): the garden contains the approvals, and names the readers.
 * A grant with too few signers, or an expired one, has no effect and is reported.
 */
export function grantReaders(
  context: Pick<CompileContext, 'org' | 'site' | 'administratorDecisions'>,
  { name, agent }: GardenPlan,
  versioned: VersionedUnits,
): VersionedUnits {
  const { approvals, threshold, at } = context.administratorDecisions;
  const granted = approvals.filter(({ approval }) => approval.garden === name && approval.kind === 'grant');
  const used = [...versioned.predicate.approvals];
  const faults: Diagnostic[] = [];
  for (const reader of [...new Set(granted.map(({ approval }) => approval.value))].sort(byText)) {
    const own = granted.filter(({ approval }) => approval.value === reader);
    // only reported: a garden's bytes do not depend on the existence of other agents
    if (!context.site.agents.has(reader)) faults.push(...own.map((it) => lapsed(it, 'there is no such agent')));
    const claim = grantClaim(context.org.deployment, name, agent.config.agent_id, reader);
    const { by, given } = consentTo(claim, own, new Set(), at);
    if (by.length >= threshold) used.push({ ...use(claim, by, given, versioned.contents.files), reader });
    for (const it of own) {
      const lapse = lapseOf(it, claim, at);
      if (lapse !== null)
        faults.push(lapsed(it, lapse === 'expired' ? 'it has expired' : 'it is for another agent_id'));
      else if (by.length < threshold) faults.push(lapsed(it, `${by.length} of ${threshold} administrators signed it`));
    }
  }
  const predicate = { ...versioned.predicate, approvals: used };
  return { ...versioned, predicate, faults: [...versioned.faults, ...faults] };
}

function lapsed({ file, approval }: FiledConsent, why: string): Diagnostic {
  const message = `the grant for ${approval.value} has no effect: ${why}`;
  return diagnostic('approval_lapsed', file, message, 'remove it, or ask the administrators for a new grant');
}
