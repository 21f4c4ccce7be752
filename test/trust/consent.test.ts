import { describe, expect, test } from 'vitest';
import { SHARED } from '../../compiler/schema/uri.ts';
import { mayRead, type Caller } from '../../compiler/trust/consent.ts';

const agent = (garden: string, of: string[] = []): Caller => ({
  kind: 'agent',
  garden,
  agent_id: `acme/agent/${garden}`,
  mayReadOf: (it) => of.includes(it),
});

describe('§21.4.4 which gardens a caller may read', () => {
  test.each([
    ['an administrator may read any garden', { kind: 'admin', entity: 'acme/human/ann' } as const, 'cto', true],
    ['an agent may read its own garden', agent('cto'), 'cto', true],
    ['an agent may read the shared garden', agent('cto'), SHARED, true],
    ['an agent may read a garden that it supervises or has a grant for', agent('cto', ['ops']), 'ops', true],
    ['an agent may not read any other garden', agent('cto', ['ops']), 'cfo', false],
    ['an agent without a garden may not read the shared one', agent(''), SHARED, false],
    ['an agent without a garden may not read one by a grant', agent('', ['ops']), 'ops', false],
  ])('%s', (_, caller, garden, may) => {
    expect(mayRead(caller, garden)).toBe(may);
  });
});
