import type { AdministratorDecisions } from '../../gardens/approvals/read-decisions.ts';
import type { CompileContext } from '../../gardens/compile-context.ts';
import { VadeError } from '../../schema/errors.ts';
import type { ApprovalKind } from '../../schema/source/approval.ts';
import type { Org } from '../../schema/source/org.ts';
import type { Sources } from '../../schema/source/sources.ts';
import type { BlobStore } from '../../sources/blobs.ts';
import type { Site } from '../../sources/classify-files.ts';
import { capabilityBlobs, capabilityHistoryBlobs } from '../../sources/place-capability.ts';
import { neededForRole, roleClaims } from '../../trust/capability-consent.ts';
import { versionCapabilities } from '../garden/capability-facts.ts';
import { resolveSources } from '../garden/resolve-sources.ts';
import { digestsOf, partsOf, roleAuthors } from '../garden/role-authors.ts';

/** The sources at a ref, with the decisions and the history that a compile would read. */
export interface RoleSite {
  readonly sources: Pick<Sources, 'folder'>;
  readonly site: Site;
  readonly org: Pick<Org, 'deployment'>;
  readonly administratorDecisions: AdministratorDecisions | null;
  /** Reads more blobs. */
  readonly load: (blobs: readonly string[]) => Promise<Pick<BlobStore, 'read' | 'blob'>>;
  readonly past: Pick<CompileContext, 'commits' | 'attribute'>;
}

/** The role that `vade approve --kind role` or `--kind bypass` approves, as a compile would resolve it. */
export async function readRole(
  at: RoleSite,
  { kind, role: name = '' }: { readonly kind: ApprovalKind; readonly role: string | undefined },
) {
  const { folder } = at.sources;
  const read = await at.load([...capabilityBlobs(at.site), ...capabilityHistoryBlobs(at.past.commits, folder)]);
  const { resolved, capabilities } = resolveSources(name, at.site, folder, read.read);
  const { deployment } = at.org;
  const claim = roleClaims(deployment, resolved).find((it) => it.kind === kind);
  if (!claim) {
    const message = `role ${name} lists no bypasses: there is nothing to approve`;
    throw new VadeError('argument_invalid', message, { flag: 'kind' });
  }
  const versions = versionCapabilities(at.site, { ...at.past, blob: read.blob, folder, deployment });
  const parts = partsOf(name, capabilities, versions);
  const approvals = at.administratorDecisions?.approvals ?? [];
  const own = approvals.filter(({ approval }) => approval.unit === name && approval.kind === kind);
  const authors = roleAuthors(parts, own, at.administratorDecisions ?? { threshold: 1, unproven: 1 });
  const { unit, value, digest, delivery } = claim;
  const of = { unit, value, digest, delivery, source_digest: null, sources: digestsOf(parts) };
  return { of, authors, least: neededForRole(kind, 1) };
}
