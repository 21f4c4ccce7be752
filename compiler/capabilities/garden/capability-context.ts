import type { AdministratorDecisions } from '../../gardens/approvals/read-decisions.ts';
import type { Attribute } from '../../history/attribution.ts';
import type { Org } from '../../schema/source/org.ts';
import type { Commit, Sources, TreeFile } from '../../schema/source/sources.ts';
import type { CapabilitySite } from '../../sources/place-capability.ts';
import type { Signer } from '../../trust/dsse.ts';

/** The inputs from which the garden of atoms and roles is built: a part of those of every garden. */
export interface CapabilityContext {
  readonly sources: Sources;
  readonly site: CapabilitySite;
  readonly read: (file: TreeFile) => Buffer;
  readonly blob: (id: string) => Buffer | undefined;
  readonly commits: readonly Commit[];
  readonly places: ReadonlyMap<string, number>;
  readonly attribute: Attribute;
  readonly administratorDecisions: AdministratorDecisions;
  readonly development: boolean;
  readonly org: Org;
  readonly compiler: string;
  readonly signers: readonly Signer[];
}
