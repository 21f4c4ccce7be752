import { neededFor, type Authors } from '../../gardens/approvals/needed.ts';
import type { FiledConsent } from '../../gardens/approvals/read-decisions.ts';
import { describeApproval, use, type Approved } from '../../gardens/approvals/use-filed.ts';
import type { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { canonicalNames } from '../../schema/identity.ts';
import { ROLE_KINDS, type UsedApproval } from '../../schema/source/approval.ts';
import type { Claim } from '../../trust/approval.ts';
import { byText } from '../../trust/canonical.ts';
import { neededForRole, roleClaims } from '../../trust/capability-consent.ts';
import { consentTo } from '../../trust/consent.ts';
import type { CapabilityTables } from '../resolve/resolve-role.ts';
import type { CapabilityContext } from './capability-context.ts';
import type { VersionedCapabilities } from './capability-facts.ts';
import { partsOf, roleAuthors } from './role-authors.ts';

/** A role that resolves, and its file. */
export interface ResolvedSource {
  readonly resolved: ResolvedRole;
  readonly file: string;
}

/** Checks every role against the approvals of administrators who wrote none of it. */
export function approveRoles(
  context: Pick<CapabilityContext, 'org' | 'administratorDecisions' | 'development'>,
  roles: readonly ResolvedSource[],
  tables: CapabilityTables,
  versions: VersionedCapabilities,
): Approved {
  const { approvals, at } = context.administratorDecisions;
  const filed = approvals.filter(({ approval }) => (ROLE_KINDS as readonly string[]).includes(approval.kind));
  const used: UsedApproval[] = [];
  const files = new Map<string, Buffer>();
  const faults: Diagnostic[] = [];
  const required = new Set<string>();
  for (const role of roles) {
    const parts = partsOf(role.resolved.role, tables, versions);
    for (const claim of roleClaims(context.org.deployment, role.resolved)) {
      required.add(keyOf(claim));
      const own = filed.filter(({ approval }) => approval.unit === claim.unit && approval.kind === claim.kind);
      const authors = roleAuthors(parts, own, context.administratorDecisions);
      const consent = consentTo(claim, own, authors.names, at);
      const needed = neededForRole(claim.kind, neededFor(context.administratorDecisions, authors.proven));
      if (consent.by.length < needed) faults.push(missing(context, role.file, claim, own, authors, needed));
      else {
        const proof = { authors: [...authors.names].sort(byText), ...(!authors.proven && { unproven: true as const }) };
        used.push({ ...use(claim, consent.by, consent.given, files), ...proof });
      }
    }
  }
  const unneeded = filed.filter(({ approval }) => !required.has(keyOf(approval)));
  return { used, files, faults: [...faults, ...unneeded.map(lapsed)] };
}

const keyOf = ({ unit, kind }: Pick<Claim, 'unit' | 'kind'>) => `${kind} ${unit ?? ''}`;

function missing(
  { administratorDecisions, development }: Pick<CapabilityContext, 'administratorDecisions' | 'development'>,
  file: string,
  claim: Claim,
  own: readonly FiledConsent[],
  authors: Authors,
  needed: number,
): Diagnostic {
  const rule = claim.kind === 'bypass' ? 'role_bypass_approval_required' : 'role_approval_required';
  const names = canonicalNames(authors.names);
  const found = own.map((it) => `${it.file} ${describeApproval(it, claim, names, administratorDecisions.at)}`);
  const why = found.length === 0 ? 'there is no approval' : found.join('; ');
  const message = `role ${claim.unit ?? ''} needs the approval (${claim.kind}) of ${needed} administrator(s): ${why}`;
  const command = `vade approve --kind ${claim.kind} --role ${claim.unit ?? ''} --key <PEM>`;
  const help = `an administrator who wrote none of its atoms runs: ${command}`;
  return diagnostic(rule, file, message, help, undefined, development ? 'warning' : 'error');
}

function lapsed({ file, approval }: FiledConsent): Diagnostic {
  const message = `role “${approval.unit ?? ''}” no longer needs ${approval.kind}`;
  return diagnostic('approval_lapsed', file, message, 'remove it');
}
