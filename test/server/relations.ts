import type { Approval } from '../../compiler/schema/source/approval.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { gardenId } from '../../compiler/schema/uri.ts';
import { signApproval } from '../../compiler/trust/approval.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { compileToFolder, type TestTrust } from '../support/compiled.ts';
import { controlPlane, type Alg, type Plane } from '../support/control-plane.ts';
import type { Repository } from '../support/repository.ts';
import { person, staff, type Person } from '../support/staff.ts';
import { CT_ID, CTO2_ID, CTO_ID, peers } from './deployment.ts';

/** The peers under a production trust root, with a control plane and an administrator. */
export interface Related {
  readonly bundle: string;
  readonly trust: TestTrust;
  readonly plane: Plane;
  readonly repo: Repository;
  readonly ann: Person;
}

export interface RelatedOptions {
  readonly over?: Partial<TrustRoot>;
  /** Further keys of Ann's in the trust root. */
  readonly keys?: Readonly<Record<string, Alg>>;
  /** Changes the sources before the last commit. */
  readonly change?: (repo: Repository, ann: Person, bob: Person) => unknown;
}

export async function related({ over, keys, change }: RelatedOptions = {}): Promise<Related> {
  const [ann, bob] = [person('ann'), person('bob')];
  const plane = await controlPlane(keys);
  const trust = staff([ann, bob], { control_plane: plane.named, ...over });
  const repo = peers();
  change?.(repo, ann, bob);
  repo.commit('change');
  const { out } = await compileToFolder(repo.path, { trust });
  return { bundle: out, trust, plane, repo, ann };
}

const IDS: Readonly<Record<string, string>> = { cto: CTO_ID, cto2: CTO2_ID, ct: CT_ID };

/** Approval that `vade approve --kind grant` signs. */
export function grantOf(garden: string, reader: string, over: Partial<Approval> = {}): Approval {
  return {
    deployment: 'acme',
    garden,
    unit: null,
    kind: 'grant',
    value: reader,
    digest: sha256(gardenId('acme', IDS[garden] ?? '')),
    delivery: null,
    source_digest: null,
    note: null,
    expires: null,
    ...over,
  };
}

/** Files a grant by these people. */
export function grant(repo: Repository, approval: Approval, ...by: readonly Person[]): Repository {
  const envelope = signApproval(
    approval,
    by.map((it) => it.signer),
  );
  return repo.write(`instructions/approvals/${sha256(envelope).slice(0, 8)}.json`, envelope);
}
