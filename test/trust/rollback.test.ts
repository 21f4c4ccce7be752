import { describe, expect, test } from 'vitest';
import { ROLLBACK_TYPE } from '../../compiler/schema/bundle/rollback.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { openRollback } from '../../compiler/trust/rollback.ts';
import { reasonOf } from '../support/refused.ts';
import { person, staff } from '../support/staff.ts';

const NOW = '2030-01-01T00:00:00Z';
const ann = person('ann');
const { root, signer: ci } = staff([ann]);
const RETURN = { deployment: 'acme', revision: '3-x', reason: 'bad release', expires: '2030-01-02T00:00:00Z' };

const open = (payload: object, signer = ann.signer) =>
  openRollback(signEnvelope(ROLLBACK_TYPE, canonicalBytes(payload), [signer]), root.root, 'acme', NOW);

describe('DESIGN §7 a return to an older root', () => {
  test('is what an administrator signed', () => {
    expect(open(RETURN).revision).toBe('3-x');
  });

  test.each([
    ['key_unknown', RETURN, ci],
    ['statement_misplaced', { ...RETURN, deployment: 'ajax' }, ann.signer],
    ['not_fresh', { ...RETURN, expires: NOW }, ann.signer],
    ['format_unknown', { revision: '3-x' }, ann.signer],
  ])('is refused otherwise: %s', (reason, payload, signer) => {
    expect(reasonOf(() => open(payload, signer))).toBe(reason);
  });
});
