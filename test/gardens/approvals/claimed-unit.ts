import type { AdministratorDecisions, FiledConsent } from '../../../compiler/gardens/approvals/read-decisions.ts';
import { approveGarden, type GardenRules } from '../../../compiler/gardens/approve-garden.ts';
import type { Fact, FactVersion } from '../../../compiler/schema/bundle/fact.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import { Org } from '../../../compiler/schema/source/org.ts';
import { parseUnit } from '../../../compiler/sources/unit.ts';
import { claimsOf } from '../../../compiler/trust/approval.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';

export const [ADA, ANN, BOB] = ['ada', 'ann', 'bob'].map((name) => `acme/human/${name}`) as [string, string, string];
export const AT = '2026-05-04T12:00:00Z';
const FILE = 'instructions/agents/cto/limits.md';

/** A unit with this front matter, written by Ada, and the claim that has to be approved. */
export function written(more: string, over: Partial<Fact> = {}) {
  const text = Buffer.from(`---\ndescription: What never to do\n${more}\n---\n\n# Never\n`);
  const { value: unit } = parseUnit({ path: FILE, mode: '100644', blob: '', size: text.length }, text, 'cto');
  if (!unit) throw new Error('no unit');
  const { name, content, delivery } = unit;
  const fact: Fact = {
    uri: 'instruction:acme/agent/cto/limits/v1',
    ...{ name, content, delivery, version: 1, file: FILE, commit: '0'.repeat(40), tokens: 1 },
    ...{ digest: sha256(content), source_digest: sha256(text), created_at: AT, valid_until: null },
    ...{ authored_by: ADA, authored_at: AT, source_trust: 0.5, verified: false },
    ...{ derived_from: null, fallback: null },
    ...over,
  };
  const [claim] = claimsOf('acme', 'cto', fact, fact.fallback?.digest ?? null);
  if (!claim) throw new Error('nothing to approve');
  return { unit, fact, claim };
}

export type ClaimedUnit = ReturnType<typeof written>;

/** An approval of the claim in a file of its own, changed as asked. */
export function approval({ claim }: ClaimedUnit, name: string, over: Partial<Approval>, ...by: string[]) {
  const filed: Approval = { ...claim, source_digest: null, note: null, expires: null, ...over };
  return { approval: filed, by, bytes: Buffer.from(name), file: `approvals/${name}.json`, blob: name };
}

/** Result of a compile with these approvals for the cto, one administrator being enough. */
export function approved(
  units: readonly ClaimedUnit[],
  approvals: readonly FiledConsent[],
  over: Partial<AdministratorDecisions> = {},
  context: Partial<GardenRules> & { readonly history?: readonly FactVersion[] } = {},
) {
  const never = () => {
    throw new Error('is not asked');
  };
  const administratorDecisions = {
    approvals,
    evidence: [],
    withdrawn: new Set<string>(),
    threshold: 1,
    unproven: 1,
    at: AT,
    ...over,
  };
  const org = Org.parse({ deployment: 'acme', compiler: '0.1.0' });
  const { history = [], ...rules } = context;
  const all = { org, administratorDecisions, development: false, commits: [], attribute: never, blob: never, ...rules };
  const facts = units.map(({ unit, fact }) => ({ unit, version: fact, fact }));
  return approveGarden(all, 'cto', facts, history);
}
