/** A version of a unit, an atom or a role in its history. */
interface ListedVersion {
  readonly version: number;
  readonly created_at: string;
  readonly in_force: boolean;
  readonly valid_until: string | null;
  readonly withheld: string | null;
  readonly verified: boolean;
  readonly authored_by: string;
  readonly coauthored_by: readonly string[];
  readonly signed_by: string | null;
  readonly approved_by: readonly string[];
  readonly approvals: readonly string[];
  readonly commit: string;
  readonly source_trust: number;
  readonly digest: string;
  readonly derived_from: string | null;
}

/** A version for people, in a few lines. */
export function versionLines(it: ListedVersion): string[] {
  const state =
    it.withheld === null ? (it.in_force ? 'in force' : `until ${it.valid_until ?? ''}`) : `held back: ${it.withheld}`;
  const provenance = [
    ...(it.verified ? [] : ['unverified']),
    ...(it.signed_by === null ? [] : [`signed with ${it.signed_by}`]),
    ...(it.approved_by.length === 0 ? [] : [`approved by ${it.approved_by.join(', ')}`]),
    ...it.approvals,
  ];
  return [
    `v${it.version}  ${it.created_at}  ${state}`,
    `    ${[it.authored_by, ...it.coauthored_by].join(', ')} in ${it.commit.slice(0, 12)}, source trust ${it.source_trust}`,
    ...provenance.map((line) => `    ${line}`),
    `    sha256 ${it.digest}${it.derived_from === null ? '' : `, from ${it.derived_from.slice(0, 12)}`}`,
  ];
}
