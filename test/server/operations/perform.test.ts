import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { Call } from '../../../server/operations/call.ts';
import { operation } from '../../../server/operations/operation.ts';
import { perform, type RawInput } from '../../../server/operations/perform.ts';
import { value } from '../../../server/operations/result.ts';

const CALL = { span: null, cancel: () => undefined, identity: {} } as unknown as Call;
const limitedTo = (...scopes: string[]) => ({ ...CALL, identity: { permits: { scopes } } }) as unknown as Call;
const GOOD: RawInput = { path: {}, query: { page: '2' }, headers: { 'x-odd': 'a' }, body: { name: 'b' } };

const echo = (isPermitted: boolean) =>
  operation({
    method: 'post',
    path: '/echo',
    summary: '',
    access: 'agents',
    effect: 'read',
    query: z.strictObject({ page: z.enum(['1', '2']) }),
    headers: z.object({ 'X-Odd': z.string().optional() }),
    body: z.strictObject({ name: z.string(), size: z.int().optional() }),
    success: { status: 200, description: '' },
    errors: [],
    permit: () => {
      if (!isPermitted) throw new VadeError('instruction_scope_denied', 'no');
    },
    run: (_call, { query, headers, body }) => value({ query, headers, body }),
  });

const codeOf = ({ code }: VadeError): unknown => code;
const pathsOf = ({ details }: VadeError): unknown => (details['faults'] as { path: string }[]).map((it) => it.path);

/** The result, or a property of the error: by default its code. */
function answerTo(raw: Partial<RawInput>, isPermitted = true, pick = codeOf): unknown {
  try {
    return perform(echo(isPermitted), CALL, { ...GOOD, ...raw });
  } catch (error) {
    return error instanceof VadeError ? pick(error) : error;
  }
}

describe('perform, which every transport calls', () => {
  test('perform gives an operation its query, headers and body, parsed by their schemas', () => {
    expect(answerTo({})).toEqual(value({ query: { page: '2' }, headers: { 'X-Odd': 'a' }, body: { name: 'b' } }));
  });

  test.each([
    ['query', { query: { page: '3' } }],
    ['headers', { headers: { 'x-odd': 7 } }],
    ['body', { body: { name: 7 } }],
    ['body that is missing', { body: undefined }],
  ])('perform refuses input that the schema does not allow: %s', (_, raw) => {
    expect(answerTo(raw)).toBe('request_invalid');
  });

  test('perform checks the permission before the input', () => {
    expect(answerTo({ query: { page: '3' }, body: 'text' }, false)).toBe('instruction_scope_denied');
  });

  test('perform refuses a key that is limited to other operations, before anything else', () => {
    const refusal = () => perform(echo(true), limitedTo('continuity:read'), { ...GOOD, body: 'text' });
    expect(refusal).toThrow(expect.objectContaining({ code: 'instruction_scope_denied' }) as Error);
    expect(perform(echo(true), limitedTo('instructions'), GOOD)).toMatchObject({ kind: 'value' });
  });

  test('perform reports every problem of a body at once', () => {
    const body = { size: 'large', other: 1 };
    expect(answerTo({ body }, true, pathsOf)).toEqual(['name', 'size', '']);
  });

  test.each([
    [z.coerce.number().int().max(200), '5000', 'is 5000; at most 200 is allowed'],
    [z.coerce.number().int().min(1), '-1', 'is -1; at least 1 is needed'],
    [z.string().min(3), 'x', 'has 1 character; at least 3 are needed'],
    [z.string().min(3), ' ', 'is empty'],
    [z.string().max(3), '5000', 'has 4 characters; at most 3 are allowed'],
  ])(
    'a value beyond a limit is measured as its schema does, also where a number is sent as a text',
    (limited, sent, said) => {
      const limits = { ...echo(true), query: z.strictObject({ limited }) };
      const refusal = () => perform(limits, CALL, { ...GOOD, query: { limited: sent } });
      expect(refusal).toThrow(`limited: ${said}`);
    },
  );
});

test('the effect of every operation in the table fits its method', () => {
  const expected = { get: ['read'], put: ['write'], patch: ['write'], post: ['read', 'append', 'write'] };
  for (const [id, { method, effect }] of Object.entries(OPERATIONS)) {
    expect([id, expected[method].includes(effect)]).toEqual([id, true]);
  }
});
