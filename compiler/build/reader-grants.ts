import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { lapseOf } from '../trust/approval.ts';
import { byText } from '../trust/canonical.ts';
import { consentTo } from '../trust/consent.ts';
import { grantClaim } from '../trust/grant.ts';
import type { FiledApproval } from './approvals/decisions.ts';
import type { CompileContext } from './compile-context.ts';
import { use } from './garden-approvals.ts';
import type { GardenPlan } from './garden-plan.ts';
import type { VersionedUnits } from './versioned-units.ts';

/**
 * Adds what administrators granted to other agents (§21.4.4): the garden carries the approvals, and says whom they are
 * for. A grant that too few agreed to, or whose time is over, is none, and is told.
 */
export function grantReaders(
  context: Pick<CompileContext, 'org' | 'site' | 'decisions'>,
  { name, agent }: GardenPlan,
  versioned: VersionedUnits,
): VersionedUnits {
  const { approvals, threshold, at } = context.decisions;
  const granted = approvals.filter(({ approval }) => approval.garden === name && approval.kind === 'grant');
  const used = [...versioned.predicate.approvals];
  const faults: Diagnostic[] = [];
  for (const reader of [...new Set(granted.map(({ approval }) => approval.value))].sort(byText)) {
    const own = granted.filter(({ approval }) => approval.value === reader);
    // told alone: a garden's bytes do not depend on which other agents there are
    if (!context.site.agents.has(reader)) faults.push(...own.map((it) => lapsed(it, 'there is no such agent')));
    const claim = grantClaim(context.org.deployment, name, agent.config.agent_id, reader);
    const { by, given } = consentTo(claim, own, new Set(), at);
    if (by.length >= threshold) used.push({ ...use(claim, by, given, versioned.contents.files), reader });
    for (const it of own) {
      const lapse = lapseOf(it, claim, at);
      if (lapse !== null)
        faults.push(lapsed(it, lapse === 'expired' ? 'its time is over' : 'it is of another agent_id'));
      else if (by.length < threshold) faults.push(lapsed(it, `${by.length} of ${threshold} administrators gave it`));
    }
  }
  const predicate = { ...versioned.predicate, approvals: used };
  return { ...versioned, predicate, faults: [...versioned.faults, ...faults] };
}

function lapsed({ file, approval }: FiledApproval, why: string): Diagnostic {
  const message = `${approval.value} is granted nothing: ${why}`;
  return diagnostic('approval_lapsed', file, message, 'remove it, or have administrators grant it anew');
}
