import { expect, test } from 'vitest';
import { expiredApprovers } from '../../compiler/trust/consent.ts';
import { person, staff } from '../support/staff.ts';

const NOW = '2026-06-01T00:00:00Z';
const BEFORE = '2026-05-31T23:59:59Z';

const ann = person('ann');
const bob = person('bob');
const { root } = staff([ann, bob]).root;
const newer = person('ann');

const expiring = (expires: string) => ({
  ...root,
  keys: { ...root.keys, [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires } },
});

test('an approver whose key has expired is named, and one whose key has not is not', () => {
  expect(expiredApprovers([bob.entity, ann.entity, ann.entity], expiring(BEFORE), NOW)).toEqual([ann.entity]);
  expect(expiredApprovers([ann.entity], expiring(NOW), NOW)).toEqual([ann.entity]);
  expect(expiredApprovers([ann.entity], expiring('2026-06-01T00:00:01Z'), NOW)).toEqual([]);
});

test('an approver with a newer key is not named, and neither is one who has no key in the root', () => {
  const { keys, ...rest } = expiring(BEFORE);
  const both = {
    ...rest,
    keys: { ...keys, [newer.signer.keyid]: { public: newer.signer.publicPem, owner: ann.entity } },
  };
  expect(expiredApprovers([ann.entity, 'acme/human/eve'], both, NOW)).toEqual([]);
});
