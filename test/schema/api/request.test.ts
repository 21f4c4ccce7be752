import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentRecall, RecallRequest } from '../../../compiler/schema/api/recall.ts';

const accepts = (request: object) => RecallRequest.safeParse(request).success;

describe('§21.3.1 a recall request', () => {
  test('needs an intent and nothing else', () => {
    expect(RecallRequest.parse({ intent: 'start work' })).toEqual({
      intent: 'start work',
      max_chunks: 3,
      token_budget: 2000,
      manifest_hint: [],
      candidates: 0,
      candidates_budget: 350,
      files: [],
      follows: null,
    });
    expect(accepts({})).toBe(false);
  });

  test('of an agent over MCP needs no intent, and has eight candidates; null is the same as absent', () => {
    const request = agentRecall(z.boolean().nullish());
    const { max_chunks: _, ...rest } = RecallRequest.parse({ intent: 'x' });
    expect(request.parse({ intent: 'x', follows: null })).toEqual({ ...rest, candidates: 8 });
    const absent = { intent: null, max_chunks: null, candidates: null, follows: null };
    expect(request.parse(absent)).toMatchObject({ intent: '', max_chunks: null, candidates: 8 });
    for (const wrong of [{ max_chunks: 51 }, { candidates: 51 }, { candidates: -1 }, { other: 1 }])
      expect(request.safeParse({ intent: 'x', ...wrong }).success).toBe(false);
  });

  test.each([
    ['max_chunks', 1, 50],
    ['token_budget', 1, 100_000],
    ['candidates', 0, 50],
    ['candidates_budget', 1, 10_000],
  ])('DESIGN §6.6 keeps %s between %i and %i', (key, low, high) => {
    for (const value of [low, high]) expect(accepts({ intent: 'x', [key]: value })).toBe(true);
    for (const value of [low - 1, high + 1, 1e9, 2.5, -1, '3', Number.NaN]) {
      expect(accepts({ intent: 'x', [key]: value })).toBe(false);
    }
  });

  test('DESIGN §6.6 keeps an intent to 8,000 characters', () => {
    expect(accepts({ intent: 'x'.repeat(8000) })).toBe(true);
    expect(accepts({ intent: 'x'.repeat(8001) })).toBe(false);
    expect(accepts({ intent: '' })).toBe(false);
    expect(accepts({ intent: ['x'] })).toBe(false);
  });

  test('takes null for what is not given, as function calling in strict mode writes it', () => {
    const none = {
      max_chunks: null,
      token_budget: null,
      manifest_hint: null,
      candidates: null,
      files: null,
      follows: null,
    };
    expect(RecallRequest.parse({ intent: 'x', ...none })).toEqual(RecallRequest.parse({ intent: 'x' }));
    expect(accepts({ intent: null })).toBe(false);
  });

  test('DESIGN §6.6 takes any text for a hint, and any number of them: none is an error', () => {
    const odd = ['a', 'a', '../a', 'Wrap-Up', 'wrap–up', '', '\0', '\ud800', 'x'.repeat(5000), '__proto__'];
    expect(RecallRequest.parse({ intent: 'x', manifest_hint: odd }).manifest_hint).toEqual(odd);
    expect(accepts({ intent: 'x', manifest_hint: Array.from({ length: 10_000 }, (_, i) => `u${i}`) })).toBe(true);
    for (const hints of ['a', [7], [null], [['a']], { 0: 'a' }]) {
      expect(accepts({ intent: 'x', manifest_hint: hints })).toBe(false);
    }
  });

  test('keeps all hints together to 65,536 characters', () => {
    expect(accepts({ intent: 'x', manifest_hint: ['x'.repeat(65_535), 'x'] })).toBe(true);
    expect(accepts({ intent: 'x', manifest_hint: ['x'.repeat(65_536), 'x'] })).toBe(false);
  });

  test('is described as JSON Schema by the very schema that checks it, null included', () => {
    const isValid = new Ajv2020().compile(z.toJSONSchema(RecallRequest, { io: 'input' }));
    const requests = [
      { intent: 'x' },
      { intent: 'x', max_chunks: null, token_budget: null, manifest_hint: null },
      { intent: 'x', manifest_hint: ['Wrap-Up', 'instruction:acme/cto/wrap-up/v1'] },
      { intent: 'x', max_chunks: 51 },
      { intent: 'x', manifest_hint: [null] },
      { intent: null },
      {},
    ];
    for (const request of requests) expect([request, isValid(request)]).toEqual([request, accepts(request)]);
  });

  test('has no field that nobody knows', () => {
    expect(accepts({ intent: 'x', wake_reason: 'manual' })).toBe(false);
    expect(accepts(JSON.parse('{"intent":"x","__proto__":{"max_chunks":1}}') as object)).toBe(false);
  });
});
