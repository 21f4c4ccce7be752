import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { checkAhead, openSigned, signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey } from '../../compiler/trust/root-chain.ts';
import { reasonOf } from '../support/refused.ts';

const TYPE = 'application/vnd.test+json';
const [ada, grace, eve] = [1, 2, 3].map(() => signerFromPem(newSigningKey())) as [Signer, Signer, Signer];

function rootOf(signers: readonly Signer[], threshold: number, expires?: string): TrustRoot {
  const { root } = foundRoot({ root: ada, bundle: ada }, { deployment: 'acme', admins: [] });
  const keyOf = (it: Signer) => ({ public: it.publicPem, ...(expires !== undefined && { expires }) });
  const bundle = { keyids: signers.map((it) => it.keyid), threshold };
  return {
    ...root,
    keys: Object.fromEntries(signers.map((it) => [it.keyid, keyOf(it)])),
    roles: { ...root.roles, bundle },
  };
}

const seal = (...signers: Signer[]) => signEnvelope(TYPE, Buffer.from('{"a":1}'), signers);
const now = '2030-01-01T00:00:00Z';
const judge = (envelope: Buffer, root: TrustRoot) =>
  reasonOf(() => openSigned(envelope, TYPE, root, root.roles.bundle, now));

/** With the signature of one key under the name of another. */
function renamed(envelope: Buffer, keyid: string): Buffer {
  const { signatures, ...rest } = JSON.parse(envelope.toString()) as { signatures: object[] };
  return Buffer.from(JSON.stringify({ ...rest, signatures: signatures.map((it) => ({ ...it, keyid })) }));
}

describe('DESIGN §7 an envelope whose signatures were checked ahead', () => {
  test.each<[string, string, Buffer, TrustRoot]>([
    ['with valid signatures', 'believed', seal(ada, grace), rootOf([ada, grace], 2)],
    ['with one signature too few', 'signatures_missing', seal(ada), rootOf([ada, grace], 2)],
    ['with the same signature twice', 'signatures_missing', seal(ada, ada), rootOf([ada, grace], 2)],
    ['of a stranger', 'key_unknown', seal(eve), rootOf([ada], 1)],
    ['of a stranger under a known name', 'signatures_missing', renamed(seal(eve), ada.keyid), rootOf([ada], 1)],
    ['of an expired key', 'key_expired', seal(ada), rootOf([ada], 1, '2029-01-01T00:00:00Z')],
    ['of another form', 'envelope_malformed', Buffer.from('{}'), rootOf([ada], 1)],
  ])(
    'an envelope %s gets the same verdict if its signatures were checked ahead',
    async (_, expected, envelope, root) => {
      const without = judge(Buffer.from(envelope), root);
      await checkAhead(envelope, TYPE, root, root.roles.bundle.keyids);
      expect([judge(envelope, root), without]).toEqual([expected, expected]);
    },
  );

  test('an envelope that was checked ahead is refused under another root and as another payload type', async () => {
    const envelope = seal(ada);
    await checkAhead(envelope, TYPE, rootOf([ada], 1), [ada.keyid]);
    expect(judge(envelope, rootOf([grace], 1))).toBe('key_unknown');
    const lying = { ...rootOf([ada], 1), keys: { [ada.keyid]: { public: eve.publicPem } } };
    expect(judge(envelope, lying)).toBe('trust_broken');
    const { bundle } = rootOf([ada], 1).roles;
    const other = () => openSigned(envelope, 'application/other', rootOf([ada], 1), bundle, now);
    expect(reasonOf(other)).toBe('payload_type_wrong');
  });

  test('a signature that was checked ahead is not verified again, and only those of the given keys were checked', async () => {
    const envelope = seal(ada, grace);
    const root = rootOf([ada, grace], 2);
    await checkAhead(envelope, TYPE, root, [ada.keyid]);
    const verify = vi.spyOn(crypto, 'verify');
    syncBuiltinESMExports();
    expect(judge(envelope, root)).toBe('believed');
    expect(verify).toHaveBeenCalledTimes(1);
  });

  test('a stranger’s signature does not prevent the others from being checked ahead', async () => {
    const envelope = seal(eve, ada);
    const root = rootOf([ada], 1);
    await checkAhead(envelope, TYPE, root, [ada.keyid]);
    const verify = vi.spyOn(crypto, 'verify');
    syncBuiltinESMExports();
    expect(judge(envelope, root)).toBe('believed');
    expect(verify).not.toHaveBeenCalled();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
