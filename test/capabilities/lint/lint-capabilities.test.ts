import { describe, expect, test } from 'vitest';
import { CAPABILITY } from '../../../compiler/schema/rules/capability.ts';
import { readFiles, rulesBroken, changed } from '../../support/capabilities.ts';

const GIT = 'capabilities/policy/no-git-ops/capability.toml';
const GIT_TEXT = 'capabilities/policy/no-git-ops/text.md';
const CHECK = 'capabilities/quality/no-warnings/capability.toml';
const swap = (from: string | RegExp, to: string) => (text: string) => {
  const after = text.replace(from, to);
  if (after === text) throw new Error(`nothing matches ${String(from)}`);
  return after;
};

type Changes = Parameters<typeof rulesBroken>[0];
const CASES: readonly (readonly [rule: string, why: string, changes: Changes])[] = [
  ['atom_artefact_missing', 'an atom without its text', { [GIT_TEXT]: null }],
  ['atom_artefact_missing', 'an atom that does not declare its check', { [CHECK]: swap(/\n\[verify\][^]*$/, '\n') }],
  ['atom_artefact_missing', 'a gate without an event', { [GIT]: swap(/event = .*\n/, '') }],
  ['atom_text_long', 'a text of more than 200 words', { [GIT_TEXT]: (it) => `${it}\n${'word '.repeat(80)}` }],
  ['atom_text_long', 'an empty text', { [GIT_TEXT]: '\n' }],
  ['atom_names_other', 'a text that names another atom', { [GIT_TEXT]: (it) => `${it}\nSee tools::read-only.` }],
  ['atom_names_other', 'a text that names another atom by its slug', { [GIT_TEXT]: (it) => `${it}\nSee no-dep-bump.` }],
  ['atom_rule_late', 'a text that does not begin with its rule', { [GIT_TEXT]: (it) => `Please note this. ${it}` }],
  ['atom_reason_missing', 'a rule without a reason', { [GIT_TEXT]: 'You MUST NOT run git.\n' }],
  ['capability_name_mismatch', 'a name that differs from its folder', { [GIT]: swap('::no-git-ops', '::no-git') }],
  [
    'atom_example_wrong',
    'an example that the gate lets through',
    { [GIT]: swap('match = [\n', "match = [\n  'ls',\n") },
  ],
  [
    'atom_example_wrong',
    'an example that the gate stops',
    { [GIT]: swap('not_match = [', "not_match = ['git push', ") },
  ],
  ['atom_pattern_invalid', 'a pattern that looks behind', { [GIT]: swap("'^git( |$)'", "'(?<=a)git'") }],
  ['atom_pattern_invalid', 'a pattern with a back reference', { [GIT]: swap("'^git( |$)'", String.raw`'(a)\1'`) }],
  ['key_unknown', 'an unknown key', { [GIT]: swap('[restricts]', '[restricts]\ntool-paterns = []') }],
  ['value_invalid', 'a gate with both names of its module', { [GIT]: swap('[gate]', '[gate]\nrust-module = ""') }],
  ['toml_invalid', 'TOML that cannot be parsed', { [GIT]: swap('[restricts]', '[restricts]\nx = null') }],
  [
    'role_extends_invalid',
    'a role that extends itself',
    { 'roles/explorer.toml': swap('extends = "read-only"', 'extends = "explorer"') },
  ],
  ...['!AGENTS.md', '/AGENTS.md', '../AGENTS.md', 'a/../AGENTS.md', '', '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'].map(
    (it) =>
      [
        'value_invalid',
        `a role that allows files by an entry that can match none: ${JSON.stringify(it)}`,
        { 'roles/read-only.toml': (text: string) => `${text}\n[files]\nobeyed-allowed = [${JSON.stringify(it)}]\n` },
      ] as const,
  ),
  [
    'role_tool_unknown',
    'a role with a tool that nothing is known of',
    { 'roles/read-only.toml': swap(/allowed = .*\n/, 'allowed = ["Read", "mcp__fs__write_file"]\n') },
  ],
];

/** A fault that is reported at a line: the text of that line. */
const AT_LINE: readonly (readonly [rule: string, line: string, changes: Changes])[] = [
  [
    'capability_name_mismatch',
    'name = "other"',
    { 'roles/explorer.toml': swap('name = "explorer"', 'name = "other"') },
  ],
  [
    'role_atom_unknown',
    'required = ["tools::a"]',
    { 'roles/read-only.toml': swap(/required = .*/, 'required = ["tools::a"]') },
  ],
  ['role_extends_invalid', 'extends = "x"', { 'roles/explorer.toml': swap('extends = "read-only"', 'extends = "x"') }],
  [
    'role_relaxes_refused',
    'relaxes = ["tools::read-only"]',
    { 'roles/explorer.toml': swap('[capabilities]', '[capabilities]\nrelaxes = ["tools::read-only"]') },
  ],
  [
    'role_relaxes_refused',
    'relaxes = ["quality::no-warnings"]',
    { 'roles/explorer.toml': swap('[capabilities]', '[capabilities]\nrelaxes = ["quality::no-warnings"]') },
  ],
  [
    'role_bypass_void',
    'bypasses = ["policy::no-git-ops"]',
    { 'roles/edit-local.toml': swap('[capabilities]', '[capabilities]\nbypasses = ["policy::no-git-ops"]') },
  ],
  ['role_git_spawnable', 'name = "git-ops"', { 'roles/git-ops.toml': swap('spawnable = false', 'spawnable = true') }],
  ['role_whitelist_empty', '[tools]', { 'roles/read-only.toml': swap(/allowed = .*\n/, '') }],
  ['role_whitelist_empty', '[capabilities]', { 'roles/edit-local.toml': swap('  "scope::files-whitelist",\n', '') }],
  ['atom_parameter_unknown', 'accepts = ["a"]', { 'roles/edit-shared.toml': swap('["ssot-patterns"]', '["a"]') }],
  ['role_tool_unknown', 'allowed = ["*"]', { 'roles/read-only.toml': swap(/allowed = .*/, 'allowed = ["*"]') }],
  ['atom_parameter_unknown', "accepts = ['a']", { [GIT]: swap('accepts = []', "accepts = ['a']") }],
  ['atom_module_unknown', 'module = "a"', { [GIT]: swap(/module = .*/, 'module = "a"') }],
  ['atom_check_unsupported', 'when = "per-tool-call"', { [CHECK]: swap(/when = .*/, 'when = "per-tool-call"') }],
  ['atom_example_missing', '[gate]', { [GIT]: swap(/\n\[examples\][^]*$/, '\n') }],
  ['capability_name_mismatch', 'category = "tools"', { [GIT]: swap(/category = .*/, 'category = "tools"') }],
];

describe('vade capability lint', () => {
  test.each(CASES)('%s: %s', (rule, _why, changes) => {
    expect(rulesBroken(changes)).toContain(rule);
  });

  test.each(AT_LINE)('%s is reported at the line of the key: %s', (rule, line, changes) => {
    const files = changed(changes);
    const found = readFiles(files).faults.filter((it) => it.rule === rule && it.file in changes);
    const lines = found.map((it) => files.get(it.file)?.split('\n')[it.line - 1]);
    expect(lines).toEqual([line]);
  });

  test('what is read has the order of the names, whatever that of the files', () => {
    const turned = new Map([...changed({})].reverse());
    const { atoms, roles } = readFiles(turned).capabilities;
    for (const names of [[...atoms.keys()], [...roles.keys()]]) {
      expect(names.length).toBeGreaterThan(2);
      expect(names).toEqual([...names].sort());
    }
  });

  test('two atoms with nearly the same text are reported', () => {
    const files = changed({});
    const text = files.get(GIT_TEXT) ?? '';
    expect(
      rulesBroken({
        'capabilities/policy/no-vcs/capability.toml': files.get(GIT)?.replace(/no-git-ops/g, 'no-vcs') ?? '',
        'capabilities/policy/no-vcs/text.md': text,
      }),
    ).toContain('atom_repeats');
  });

  test('names that look the same are reported', () => {
    const toml = changed({}).get('roles/git-ops.toml') ?? '';
    expect(rulesBroken({ 'roles/git-0ps.toml': toml.replace('name = "git-ops"', 'name = "git-0ps"') })).toContain(
      'capability_name_confusable',
    );
  });

  test('the nearest known key is named, at its line', () => {
    const { faults } = readFiles(changed({ [GIT]: swap('[restricts]', '[restricts]\ntool-paterns = []') }));
    const [fault] = faults.filter((it) => it.rule === 'key_unknown');
    expect(fault).toMatchObject({ file: `instructions/${GIT}`.replace('instructions/', ''), line: 10, column: 1 });
    expect(fault?.help).toContain('tool-patterns');
  });

  test('an error of the parser has its line and column', () => {
    const { faults } = readFiles(changed({ [GIT]: 'a = 1\nb = null\n' }));
    expect(faults.find((it) => it.rule === 'toml_invalid')).toMatchObject({ line: 2, column: 5 });
  });

  test('rust-module is another name of module', () => {
    expect(rulesBroken({ [GIT]: (it) => it.replaceAll('\nmodule = ', '\nrust-module = ') })).toEqual([]);
  });

  test('a gate is asked for a test of the whole call', () => {
    expect(
      rulesBroken({ [GIT]: swap('not_match = [', 'not_match = [{ tool = "Read", input = { file_path = "x" } }, ') }),
    ).toEqual([]);
  });

  test('every rule of atoms and roles has a row or a test of its own', () => {
    const elsewhere = [
      'atom_repeats',
      'capability_name_confusable',
      'role_approval_required',
      'role_bypass_approval_required',
    ];
    const shown = new Set([...CASES, ...AT_LINE].map(([rule]) => rule).concat(elsewhere));
    expect(Object.keys(CAPABILITY).filter((rule) => !shown.has(rule))).toEqual([]);
  });
});
