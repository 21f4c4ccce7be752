import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../compiler/schema/source/approval.ts';
import { normaliseText } from '../../compiler/sources/front-matter.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { deliveryDigest, requiredApprovals, signApproval } from '../../compiler/trust/approval.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { unitFile, type Repository } from './repository.ts';
import type { Person } from './staff.ts';

export const LIMITS = 'instructions/agents/cto/limits.md';
export const GUARANTEED = 'guarantee_load: true\n';
export const PREPENDED = 'guarantee_load: true\nforce_position: prepend\n';

/** Writes the unit `limits` of the cto, which asks for an administrator's yes. */
export function limits(repo: Repository, more = GUARANTEED, body?: string): Repository {
  return repo.write(LIMITS, unitFile('What never to do', ['about to delete something'], more, body));
}

/** An approval of a unit of the cto as it stands in the working tree, not yet signed. */
export function approvalOf(repo: Repository, over: Partial<Approval> = {}, file = LIMITS): Approval {
  const bytes = readFileSync(join(repo.path, file));
  const { value: unit } = parseUnit({ path: file, mode: '100644', blob: '', size: bytes.length }, bytes, 'cto');
  if (!unit) throw new Error(`${file} is no unit`);
  const kind = over.kind ?? 'guarantee_load';
  return {
    deployment: 'acme',
    garden: 'cto',
    unit: unit.name,
    kind,
    value: requiredApprovals(unit.delivery).find((it) => it.kind === kind)?.value ?? 'true',
    digest: sha256(unit.content),
    delivery: deliveryDigest(unit.delivery),
    source_digest: sha256(normaliseText(bytes) ?? ''),
    note: kind === 'force_position' ? 'read, and found harmless' : null,
    expires: null,
    ...over,
  };
}

/** Files an approval by these people. */
export function approve(repo: Repository, name: string, approval: Approval, ...by: readonly Person[]): Repository {
  const envelope = signApproval(
    approval,
    by.map((it) => it.signer),
  );
  return repo.write(`instructions/approvals/${name}.json`, envelope);
}
