import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../compiler/capabilities/gate/open-sealed.ts';
import { BINDING_TYPE } from '../../../compiler/schema/capability/binding.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../../compiler/trust/dsse.ts';
import { approvalsOf, gateFolder } from '../../support/gate-folder.ts';
import { bindingOf, gateEntry, roleWith } from '../../support/gate.ts';

describe('what a sealed binding holds', () => {
  test('its lists decide', () => {
    const gate = gateFolder();
    const exits = (role: Parameters<typeof roleWith>[0], spawns: string[]) => {
      gate.seal(bindingOf(gate.one, { role: roleWith({ gates: [], ...role }), spawns }));
      const starts = gate.runWith(gate.call('Agent', { subagent_type: 'critic' })).exit;
      return [starts, gate.runWith(gate.call('Read', { file_path: 'x' })).exit, gate.bash('cat x').exit];
    };
    expect(exits({}, ['critic'])).toEqual([0, 0, 0]);
    expect(exits({ tools: { allowed: [], denied: ['Read'] } }, [])).toEqual([2, 2, 0]);
    expect(exits({ shell: { allowed: ['^ls$'] } }, [])).toEqual([2, 0, 2]);
    expect(exits({ tools: { allowed: ['Bash'], denied: [] } }, ['critic'])).toEqual([2, 2, 0]);
    expect(exits({ tools: { allowed: ['Agent', 'Read'], denied: [] } }, ['critic'])).toEqual([0, 0, 2]);
    const forbidden = gateEntry('policy::no-git-ops', 'PreToolUse:Bash', { patterns: ['^cat( |$)'] });
    expect(exits({ gates: [forbidden] }, [])).toEqual([2, 0, 2]);
    const only = gateEntry('tools::read-only', 'PreToolUse:Read', { tools_denied: ['Read'] });
    expect(exits({ gates: [only] }, [])).toEqual([2, 2, 0]);
  });

  test('the files of its atoms are those that were sealed: by their own list, and by the task’s', () => {
    const gate = gateFolder();
    const gates = [
      gateEntry('scope::no-rule-edits', 'PreToolUse:Write', { paths: ['src/rules/**'] }),
      gateEntry('scope::files-denylist', 'PreToolUse:Write', { parameters: ['files-denylist'] }),
    ];
    gate.seal(bindingOf(gate.one, { role: roleWith({ gates }), parameters: { 'files-denylist': ['src/no/**'] } }));
    const write = (file_path: string) => gate.runWith(gate.call('Write', { file_path, content: '' })).exit;
    expect(['src/rules/x', 'src/no/x', 'src/x'].map(write)).toEqual([2, 2, 0]);
  });

  test('a tool that only reads by the role’s list is not judged as one that writes', () => {
    const gate = gateFolder();
    const exit = (reading?: string[]) => {
      const tools = { allowed: [], denied: [], ...(reading && { reading }) };
      const gates = [gateEntry('tools::read-only', 'PreToolUse:Edit|Write')];
      gate.seal(bindingOf(gate.one, { role: roleWith({ gates, tools }) }));
      return gate.runWith(gate.call('mcp__a__look', { path: 'src/main.ts' })).exit;
    };
    expect([exit(), exit(['mcp__a__look']), exit(['mcp__a__other'])]).toEqual([2, 0, 2]);
  });

  test('a severity or a format that nobody knows denies every call, though it is sealed and approved', () => {
    const gate = gateFolder();
    const sealed = (severity: string, format = 1) => {
      const gates = [gateEntry('policy::no-git-ops', 'PreToolUse:Bash', { severity: severity as 'block' })];
      const binding = bindingOf(gate.one, { role: roleWith({ gates }) });
      const consent = { ...binding.consent, approvals: approvalsOf(binding.role, gate.admins) };
      const bytes = signEnvelope(BINDING_TYPE, canonicalBytes({ ...binding, format, consent }), [gate.orchestrator]);
      writeFileSync(join(gate.vade, 'bindings', `${sha256(gate.one)}.json`), bytes);
      return gate.bash('ls').exit;
    };
    expect([sealed('warn'), sealed('loud'), sealed('warn', 2)]).toEqual([0, 2, 2]);
  });
});
