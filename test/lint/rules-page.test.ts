import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RULES, SECURITY_RULES, type RuleId } from '../../compiler/schema/diagnostics.ts';
import { RULEBOOK } from '../../compiler/schema/rules/rulebook.ts';
import { formatted } from '../support/formatted.ts';
import { rulePage } from './rule-page.ts';
import { sourceSchemas } from './source-schemas.ts';

const IDS = Object.keys(RULES) as RuleId[];

describe('the page of rules', () => {
  test('the page of rules is the one in the repository; vitest --update writes it', async () => {
    const page = await formatted('RULES.md', rulePage());
    await expect(page).toMatchFileSnapshot('../../compiler/lint/RULES.md');
  });

  test.each(IDS)('the page of rules explains the meaning, the reason and the fix of %s', (id) => {
    expect(rulePage()).toContain(`### ${id}\n`);
    const { means, why, help } = RULEBOOK[id];
    for (const text of [means, why, help]) {
      expect(text.length).toBeGreaterThan(8);
      expect(text).not.toMatch(/\.$/);
    }
  });

  test('the page of rules has exactly the rules of the code, in their classes', () => {
    expect(Object.keys(RULEBOOK).sort()).toEqual([...IDS].sort());
    const security = IDS.filter((id) => RULEBOOK[id].class === 'security');
    expect(security.sort()).toEqual([...SECURITY_RULES].sort());
  });

  test('every rule of class security is an error', () => {
    expect([...SECURITY_RULES].filter((id) => RULES[id] !== 'error')).toEqual([]);
  });
});

describe('DESIGN §5 the JSON Schema of a source file', () => {
  test.each([...sourceSchemas()])('the JSON Schema in the repository is current: %s', async (name, schema) => {
    const text = await formatted(name, JSON.stringify(schema));
    await expect(text).toMatchFileSnapshot(`../../compiler/schema/json/${name}`);
  });

  test('the repository has one JSON Schema for each kind of source, and no other', () => {
    const files = readdirSync('compiler/schema/json').filter((it) => it.endsWith('.json'));
    expect(files.sort()).toEqual([...sourceSchemas().keys()].sort());
  });

  test('the JSON Schemas require only keys without a default', () => {
    const required = (name: string) => (sourceSchemas().get(name) as { required?: string[] }).required;
    expect(required('unit.schema.json')).toEqual(['description']);
    expect(required('org.schema.json')).toEqual(['deployment', 'compiler']);
    expect(required('agent.schema.json')).toEqual(['agent_id', 'role', 'heartbeat_contract']);
  });
});
