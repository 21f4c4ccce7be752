import { expect, test } from 'vitest';
import { consentOf } from '../../../compiler/capabilities/gate/prove-approved.ts';

const many = (count: number) => Array.from({ length: count }, () => 'x');

test('a binding carries 1024 authors and 64 approvals at most, and says whether the authors are proven', () => {
  const most = { authors: many(1024), proven: false, approvals: many(64) };
  expect(consentOf(most)).toEqual(most);
  expect(consentOf({ authors: [], proven: true, approvals: [] })).toEqual({ authors: [], proven: true, approvals: [] });
  const refused = [{ authors: many(1025) }, { approvals: many(65) }, { proven: 'true' }, { authors: [1] }];
  for (const it of refused) expect(() => consentOf({ ...most, ...it })).toThrow(TypeError);
});
