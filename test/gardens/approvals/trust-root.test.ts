import { describe, expect, test } from 'vitest';
import {
  acceptedRoots,
  resolveTrustRoot,
  rootBefore,
  rootsTouched,
} from '../../../compiler/gardens/approvals/trust-root.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import type { Commit } from '../../../compiler/schema/source/sources.ts';
import type { SignedRoot } from '../../../compiler/trust/root-chain.ts';
import { nextRoot, newSigner, person, sealRoot, staff } from '../../support/staff.ts';

const ann = person('ann');
const trust = staff([ann]);
const first = trust.root;
const second = nextRoot(first, {}, [trust.signer]);
const third = nextRoot(second, {}, [trust.signer]);
const DEVELOPMENT = sealRoot({ ...first.root, development: true }, [trust.signer]);

/** The sources' own roots, by version. */
function offered(...roots: readonly (SignedRoot | Buffer)[]) {
  return new Map(roots.map((it, i) => (Buffer.isBuffer(it) ? [100 + i, it] : [it.root.version, it.envelope])));
}

function resolved(pinned: SignedRoot, signers = [trust.signer], ...roots: readonly (SignedRoot | Buffer)[]) {
  return resolveTrustRoot(pinned, signers, offered(...roots));
}

describe('DESIGN §7 the trust root of a compile', () => {
  test('the current root is the last one that the chain from the pinned one proves', () => {
    expect(resolved(first)).toMatchObject({ current: first, chain: [first.root] });
    const { current, chain, envelopes } = resolved(first, [trust.signer], second, third);
    expect(current).toEqual(third);
    expect(chain).toEqual([first, second, third].map((it) => it.root));
    expect([...envelopes]).toEqual([first, second, third].map((it) => [it.root.version, it.envelope]));
  });

  test('a production root has no other roots than those of the chain, and roots that do not follow are refused', () => {
    const trusted = resolved(first, [trust.signer], second);
    expect(trusted).not.toHaveProperty('offered');
    expect(acceptedRoots(trusted)).toEqual([first.root, second.root]);
    expect(() => resolved(first, [trust.signer], third)).toThrow(VadeError);
  });

  test('a development root has no chain; the readable roots of the sources are offered without proof', () => {
    const other = staff([person('bob')]).root;
    const found = resolved(DEVELOPMENT, [trust.signer], other, third, Buffer.from('{}'));
    expect(found).toMatchObject({ current: DEVELOPMENT, chain: [DEVELOPMENT.root], offered: [other.root, third.root] });
    expect([...found.envelopes.keys()]).toEqual([1]);
    expect(acceptedRoots(found)).toEqual([DEVELOPMENT.root, other.root, third.root]);
  });

  test('a compile needs as many different bundle keys as the current root asks for', () => {
    const [one, two] = [trust.signer, newSigner()];
    const keys = { ...first.root.keys, [two.keyid]: { public: two.publicPem } };
    const bundle = { keyids: [one.keyid, two.keyid], threshold: 2 };
    const strict = sealRoot({ ...first.root, keys, roles: { ...first.root.roles, bundle } }, [one]);
    for (const signers of [[], [one], [one, one], [one, newSigner()]]) {
      expect(() => resolved(strict, signers)).toThrow(expect.objectContaining({ code: 'signing_key_required' }));
    }
    expect(resolved(strict, [one, two]).current).toBe(strict);
  });
});

describe('DESIGN §7 the trust roots that a commit touches', () => {
  const touched = (...paths: string[]) => {
    const commit = { changes: paths.map((path) => ({ path, blob: null })) } as unknown as Commit;
    return [...rootsTouched(commit, 'instructions')];
  };

  test('are the numbered files of the folder, whatever happens to them', () => {
    expect(touched('instructions/trust/1.json', 'instructions/org.yaml', 'instructions/trust/10.json')).toEqual([
      1, 10,
    ]);
  });

  test('are none in other folders, with other names, or without a commit', () => {
    const others = ['0.json', '02.json', 'x2.json', '2.json.md', 'old/2.json'].map((it) => `instructions/trust/${it}`);
    expect(touched(...others, 'trust/2.json', 'guidance-old/trust/2.json', 'old/instructions/trust/2.json')).toEqual(
      [],
    );
    expect(rootsTouched(undefined, 'instructions').size).toBe(0);
  });
});

describe('DESIGN §7 the trust root before a commit', () => {
  // the order of the files is not that of the versions
  const trusted = resolved(first, [trust.signer], third, second);
  const before = (...versions: number[]) => rootBefore(trusted, new Set(versions)).version;

  test('is the last one below all that the commit touches, or the first of all', () => {
    expect([before(3), before(2), before(2, 3), before(3, 2), before(1), before(9)]).toEqual([2, 1, 1, 1, 1, 3]);
  });

  test('is the newest one if the commit touches none', () => {
    expect(before()).toBe(3);
  });

  test('there is always one', () => {
    expect(() => rootBefore({ ...trusted, envelopes: new Map() }, new Set())).toThrow(TypeError);
  });
});
