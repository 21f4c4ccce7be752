import { describe, expect, test } from 'vitest';
import { MAX_UNIT_BYTES } from '../../../compiler/schema/source/unit.ts';
import { classifyFiles } from '../../../compiler/sources/classify-files.ts';
import { rulesBroken } from '../../support/capabilities.ts';
import { memorySources } from '../../support/memory-sources.ts';

const GIT = 'capabilities/policy/no-git-ops/capability.toml';
const ROLE = 'roles/read-only.toml';
const rulesOf = (files: Record<string, string>, modes: Record<string, string> = {}) => {
  const sources = memorySources(new Map(Object.entries(files)));
  const tree = new Map([...sources.tree].map(([path, file]) => [path, { ...file, mode: modes[path] ?? file.mode }]));
  return classifyFiles({ ...sources, tree }).faults.map((it) => it.rule);
};

describe('hostile atoms and roles', () => {
  test.each([
    ['deep arrays', `x = ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['deep inline tables', `x = ${'{a='.repeat(15_000)}1${'}'.repeat(15_000)}`],
    ['a table with a long dotted name', `[${'a.'.repeat(30_000)}a]`],
    ['a key with a long dotted name', `${'a.'.repeat(30_000)}a = 1`],
    ['thousands of tables', Array.from({ length: 6000 }, (_, i) => `[t${i}]`).join('\n')],
    ['thousands of unknown keys', Array.from({ length: 6000 }, (_, i) => `k${i}=1`).join('\n')],
    ['a key given twice', '[role]\nname = "a"\nname = "b"'],
    ['a table given twice', '[role]\n[role]'],
    ['a text that does not end', `x = "${'a'.repeat(60_000)}`],
    ['a prototype', '__proto__ = { polluted = true }\n[role]\n[constructor.prototype]\nx = 1'],
    ['dates', '[role]\nname = 2020-01-01'],
    ['numbers that are too large', '[role]\nname = 99999999999999999999'],
  ])('%s give diagnostics and no crash', (_what, text) => {
    for (const path of [GIT, ROLE]) {
      const rules = rulesBroken({ [path]: text });
      expect(rules.some((it) => ['toml_invalid', 'key_unknown', 'value_invalid'].includes(it))).toBe(true);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('a file beyond the limit is refused before it is read', () => {
    expect(rulesOf({ [GIT]: '#'.repeat(MAX_UNIT_BYTES + 1) })).toContain('unit_too_large');
  });

  test('a symbolic link in place of an atom’s folder or of a role is refused', () => {
    const folder = 'capabilities/policy/no-git-ops';
    const modes = { [`instructions/${folder}`]: '120000', [`instructions/${ROLE}`]: '120000' };
    expect(rulesOf({ [folder]: '../../x', [ROLE]: 'x' }, modes).filter((it) => it === 'symlink')).toHaveLength(2);
  });

  test('a folder of another category, a name in capitals and a nested file are reported', () => {
    expect(rulesOf({ 'capabilities/secret/x/capability.toml': '' })).toContain('name_invalid');
    expect(rulesOf({ 'capabilities/policy/NoGit/text.md': '' })).toContain('name_invalid');
    expect(rulesOf({ 'capabilities/policy/no-git/x/text.md': '' })).toContain('file_stray');
    expect(rulesOf({ 'capabilities/policy/no-git/run.sh': '' })).toContain('file_stray');
    expect(rulesOf({ 'roles/Cto.toml': '' })).toContain('name_invalid');
    expect(rulesOf({ 'roles/x.yaml': '' })).toContain('file_stray');
  });

  test('no agent may have the name of the garden of atoms and roles', () => {
    expect(rulesOf({ 'agents/capabilities/agent.yaml': '' })).toContain('agent_folder_invalid');
    expect(rulesOf({ 'agents/roles/agent.yaml': '' })).toContain('agent_folder_invalid');
  });

  test('letters of another alphabet cannot be in a name', () => {
    expect(rulesOf({ 'capabilities/policy/no-gіt-ops/text.md': '' })).toContain('name_invalid');
  });
});
