import type { Withdrawal } from '../../compiler/schema/bundle/withdrawal.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { judgeWithdrawals, type Judging } from '../../compiler/trust/judge-withdrawals.ts';
import { addWithdrawal, signWithdrawal, withdrawnKey } from '../../compiler/trust/withdrawal.ts';
import { newSigner, person, staff } from '../support/staff.ts';

export const NOW = '2026-05-04T12:00:00Z';
export const [ann, bob] = [person('ann'), person('bob')];
export const second = { ...ann, signer: newSigner() };
export const trust = staff([ann, second, bob]);
export const { root } = trust.root;
export const pair = { ...root, thresholds: { ...root.thresholds, withdrawal: 2 } };

export const order = (unit: string, over: Partial<Withdrawal> = {}): Withdrawal => ({
  deployment: 'acme',
  fact_uri: `instruction:acme/agent/cto/${unit}/v1`,
  digest: '0'.repeat(64),
  reason: 'it deletes data',
  withdrawn_at: NOW,
  ...over,
});
export const sealed = (unit: string, over: Partial<Withdrawal> = {}, signers = [ann.signer]) =>
  signWithdrawal(order(unit, over), signers);
export const key = (unit: string) => withdrawnKey(order(unit));
export const listOf = (envelopes: readonly Buffer[]) =>
  envelopes.reduce<Buffer | null>((file, it) => addWithdrawal(file, it), null);
export const judge = (file: Buffer | null, chain: readonly TrustRoot[] = [root], over: Partial<Judging> = {}) =>
  judgeWithdrawals(file, { deployment: 'acme', chain, now: NOW, carried: new Set(), bound: [], ...over });
