import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { Call } from '../../../server/operations/call.ts';
import { operation } from '../../../server/operations/operation.ts';
import { perform, type RawInput } from '../../../server/operations/perform.ts';
import { value } from '../../../server/operations/result.ts';

const CALL = { span: null, cancel: () => undefined } as unknown as Call;
const GOOD: RawInput = { path: {}, query: { page: '2' }, headers: { 'x-odd': 'a' }, body: { name: 'b' } };

const echoing = (isPermitted: boolean) =>
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

/** What is answered, or what is asked of the error: its code, if not said otherwise. */
function answerTo(raw: Partial<RawInput>, isPermitted = true, told = codeOf): unknown {
  try {
    return perform(echoing(isPermitted), CALL, { ...GOOD, ...raw });
  } catch (error) {
    return error instanceof VadeError ? told(error) : error;
  }
}

describe('perform, which every transport calls', () => {
  test('gives an operation its query, headers and body, each checked', () => {
    expect(answerTo({})).toEqual(value({ query: { page: '2' }, headers: { 'X-Odd': 'a' }, body: { name: 'b' } }));
  });

  test.each([
    ['query', { query: { page: '3' } }],
    ['headers', { headers: { 'x-odd': 7 } }],
    ['body', { body: { name: 7 } }],
    ['body that is missing', { body: undefined }],
  ])('refuses what the schema does not allow: %s', (_, raw) => {
    expect(answerTo(raw)).toBe('request_invalid');
  });

  test('asks for permission first: whoever has none learns nothing of what was wrong', () => {
    expect(answerTo({ query: { page: '3' }, body: 'text' }, false)).toBe('instruction_scope_denied');
  });

  test('reports every problem of a body at once', () => {
    const body = { size: 'large', other: 1 };
    expect(answerTo({ body }, true, pathsOf)).toEqual(['name', 'size', '']);
  });
});

test('the table says of every operation what it changes: GET reads, PUT writes sources', () => {
  const expected = { get: ['read'], put: ['write'], post: ['read', 'append'] };
  for (const [id, { method, effect }] of Object.entries(OPERATIONS)) {
    expect([id, expected[method].includes(effect)]).toEqual([id, true]);
  }
});
