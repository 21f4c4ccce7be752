import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditTokens } from '../../../server/auth/audit-token.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const [ONE, TWO, THREE] = ['first key', 'second key', 'third key'].map((it) => Buffer.from(it.repeat(4))) as [
  Buffer,
  Buffer,
  Buffer,
];
const tokens = auditTokens([ONE]);

describe('§21.5.2 an audit token', () => {
  test('names the time of its issue, to every instance with the key', () => {
    const token = tokens.issue('cto-id', NOW);
    expect(token).toMatch(/^audi_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{22}$/);
    expect(auditTokens([ONE]).issuedAt(token, 'cto-id')).toBe(NOW);
    expect(tokens.issue('cto-id', NOW)).not.toBe(token);
  });

  test('is a MAC of sixteen bytes over its id and the agent, so that others can verify it', () => {
    const [, id = '', mac = ''] = /^audi_(.{26})_(.*)$/.exec(tokens.issue('cto-id', NOW)) ?? [];
    const whole = createHmac('sha256', ONE).update(`${id}\0cto-id`).digest();
    expect(Buffer.from(mac, 'base64url')).toEqual(whole.subarray(0, 16));
  });

  test('is of no other agent, and of no other key', () => {
    const token = tokens.issue('cto-id', NOW);
    expect(tokens.issuedAt(token, 'ops-id')).toBeNull();
    expect(auditTokens([TWO]).issuedAt(token, 'cto-id')).toBeNull();
  });

  test('is issued with the first of several keys, and counts by any of them', () => {
    const rotated = auditTokens([TWO, ONE, THREE]);
    const token = rotated.issue('cto-id', NOW);
    for (const key of [ONE, THREE]) expect(auditTokens([key]).issuedAt(token, 'cto-id')).toBeNull();
    for (const key of [ONE, TWO, THREE])
      expect(rotated.issuedAt(auditTokens([key]).issue('cto-id', NOW), 'cto-id')).toBe(NOW);
  });

  test('that anybody changes in one character does not count', () => {
    const token = tokens.issue('cto-id', NOW);
    const letters = fc.constantFrom('A', 'Q', 'g', 'w', '0', '9', 'a', 'Z', '-', '_', 'ß');
    fc.assert(
      fc.property(fc.nat({ max: token.length - 1 }), letters, (at, letter) => {
        fc.pre(token[at] !== letter);
        expect(tokens.issuedAt(token.slice(0, at) + letter + token.slice(at + 1), 'cto-id')).toBeNull();
      }),
    );
    for (const text of ['', 'audi_', ` ${token}`, `${token} `, `${token}A`, token.slice(0, -1), token.toLowerCase()]) {
      expect(tokens.issuedAt(text, 'cto-id')).toBeNull();
    }
  });

  test('counts in one spelling only, though the last character has unused bits', () => {
    const token = tokens.issue('cto-id', NOW);
    const letters = Array.from({ length: 64 }, (_, i) =>
      Buffer.from([i << 2])
        .toString('base64url')
        .slice(0, 1),
    );
    const spellings = letters.map((last) => token.slice(0, -1) + last);
    expect(spellings.filter((it) => tokens.issuedAt(it, 'cto-id') !== null)).toEqual([token]);
  });
});
