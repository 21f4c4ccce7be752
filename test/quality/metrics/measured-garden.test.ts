import { describe, expect, test } from 'vitest';
import { eagerTokens } from '../../../compiler/quality/metrics/measured-garden.ts';

const NOW = Date.parse('2026-05-08T12:00:00Z');
const BEFORE = '2026-05-08T11:00:00Z';

const legacy = (path: string, tokens: number) => ({ path, tokens, digest: 'a'.repeat(64) });
const unit = (
  tokens: number,
  fallback: ReturnType<typeof legacy> | null = null,
  valid_until: string | null = null,
) => ({
  ...{ tokens, fallback, valid_until },
});

describe('§21.6.2 eager loading', () => {
  test('eager loading counts each legacy file once, every other unit, and the stub', () => {
    const handbook = legacy('AGENTS.md', 500);
    const facts = [unit(30, handbook), unit(0, handbook), unit(20, legacy('docs/limits.md', 100)), unit(7)];
    expect(eagerTokens(facts, 40, NOW)).toBe(647);
  });

  test('eager loading leaves out expired units, unless a legacy file replaces them', () => {
    const facts = [unit(30, legacy('AGENTS.md', 500), BEFORE), unit(20, null, BEFORE), unit(7)];
    expect(eagerTokens(facts, 0, NOW)).toBe(507);
  });

  test('eager loading without units costs the stub', () => {
    expect(eagerTokens([], 40, NOW)).toBe(40);
  });
});
