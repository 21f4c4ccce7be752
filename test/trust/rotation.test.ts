import { describe, expect, test } from 'vitest';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey, type SignedRoot } from '../../compiler/trust/root-chain.ts';
import { listing } from '../io/handbook.ts';
import { NOW } from '../io/published.ts';
import { compileRepository, compileToFolder, testTrust } from '../support/compiled.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';

const [ada, grace] = [1, 2].map(() => signerFromPem(newSigningKey())) as [Signer, Signer];
const FIRST = foundRoot({ root: ada, bundle: ada }, { deployment: 'acme', admins: [] });

/** A root after the first, in which these sign bundles; ada signs roots in both. */
function second(signers: readonly Signer[], change: Partial<TrustRoot> = {}, threshold = signers.length): SignedRoot {
  const root: TrustRoot = {
    ...FIRST.root,
    version: 2,
    keys: Object.fromEntries([ada, ...signers].map((it) => [it.keyid, { public: it.publicPem }])),
    roles: { ...FIRST.root.roles, bundle: { keyids: signers.map((it) => it.keyid), threshold } },
    ...change,
  };
  return { root, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [ada]) };
}

/** A deployment whose sources carry these trust roots. */
function withRoots(...roots: readonly SignedRoot[]): Repository {
  const repo = smallDeployment();
  for (const { root, envelope } of roots) repo.write(`instructions/trust/${root.version}.json`, envelope);
  repo.commit();
  return repo;
}

const compileWith = (repo: Repository, root: SignedRoot, signers: readonly Signer[]) =>
  compileToFolder(repo.path, { trust: { root, signer: ada, pem: '' }, over: { signers } });
const revisionFor = (folder: string, pinned: SignedRoot, now = NOW) => openBundle(folder, { pinned, now }).revision;
const failure = (code: string) => expect.objectContaining({ code }) as Error;

describe('DESIGN §7 trust roots follow each other', () => {
  test('a bundle has the same bytes, whichever root of the chain was pinned', async () => {
    const next = second([grace]);
    const repo = withRoots(FIRST, next);
    const [a, b] = [await compileWith(repo, FIRST, [grace]), await compileWith(repo, next, [grace])];
    expect(listing(b.out)).toEqual(listing(a.out));
  });

  test('a replaced key cannot sign a bundle', async () => {
    const compiled = compileWith(withRoots(FIRST, second([grace])), FIRST, [ada]);
    await expect(compiled).rejects.toThrow(failure('signing_key_required'));
  });

  test('an unsigned root in the sources stops the compile', async () => {
    const forged = { ...second([grace]), envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes({}), [grace]) };
    const compiled = compileWith(withRoots(FIRST, forged), FIRST, [ada]);
    await expect(compiled).rejects.toThrow(failure('bundle_unverified'));
  });
});

describe('DESIGN §7 a threshold of bundle keys', () => {
  test('a bundle verifies if a threshold of bundle keys signed it', async () => {
    const both = second([ada, grace]);
    const repo = withRoots(FIRST, both);
    const { out, bundle } = await compileWith(repo, FIRST, [ada, grace]);
    expect(revisionFor(out, FIRST)).toBe(bundle.revision);
    await expect(compileWith(repo, FIRST, [grace])).rejects.toThrow(failure('signing_key_required'));
    await expect(compileWith(repo, FIRST, [grace, grace])).rejects.toThrow(failure('signing_key_required'));
  });
});

describe('DESIGN §7 bundles that no reader would accept are not compiled', () => {
  test('sources of another deployment than the trust root’s are refused', async () => {
    const repo = smallDeployment().write('instructions/org.yaml', 'deployment: ajax\ncompiler: 0.1.0\n');
    repo.commit();
    const outcome = await compileRepository(repo.path, { trust: testTrust() }).catch((error: unknown) => error);
    expect(outcome instanceof Error || (outcome as { bundle: unknown }).bundle === null).toBe(true);
  });
});
