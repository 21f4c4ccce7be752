import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey, type SignedRoot } from '../../compiler/trust/root-chain.ts';
import type { TestTrust } from './compiled.ts';

/** Someone with a key. */
export interface Person {
  readonly entity: string;
  readonly signer: Signer;
}

export function newSigner(): Signer {
  return signerFromPem(newSigningKey());
}

export function person(name: string, kind = 'human'): Person {
  return { entity: `acme/${kind}/${name}`, signer: newSigner() };
}

/** A trust root of `acme`, changed as asked, in an envelope by these. */
export function sealRoot(root: TrustRoot, signers: readonly Signer[]): SignedRoot {
  return { root, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), signers) };
}

/** A production trust root with administrators; its one further key signs roots and bundles. */
export function staff(admins: readonly Person[], over: Partial<TrustRoot> = {}): TestTrust {
  const pem = newSigningKey();
  const signer = signerFromPem(pem);
  const of = { deployment: 'acme', admins: admins.map(({ entity, signer }) => ({ entity, ...signer })) };
  const { root } = foundRoot({ root: signer, bundle: signer }, of);
  return { pem, signer, root: sealRoot({ ...root, ...over }, [signer]) };
}

/** The root after another, changed as asked. */
export function nextRoot({ root }: SignedRoot, change: Partial<TrustRoot>, signers: readonly Signer[]): SignedRoot {
  return sealRoot({ ...root, version: root.version + 1, ...change }, signers);
}

/** The keys of a root, with one more. */
export function keysWith({ keys }: TrustRoot, { entity, signer }: Person): TrustRoot['keys'] {
  return { ...keys, [signer.keyid]: { public: signer.publicPem, owner: entity } };
}
