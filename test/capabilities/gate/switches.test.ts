import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ResolvedGate } from '../../../compiler/schema/capability/resolved-role.ts';
import { gateFolder } from '../../support/gate-folder.ts';
import { bindingOf, EDITING_GATES, gateOn, roleWith } from '../../support/gate.ts';

const gates = (more: Partial<ResolvedGate>) => EDITING_GATES.map((it) => ({ ...it, ...more }));
const pushed = (env: Record<string, string>, more: Partial<ResolvedGate> = { relaxable: true }) =>
  gateOn(() => ({ role: roleWith({ gates: gates(more) }) }), env).bash('git push').answer.exit;

describe('the switches of the kit', () => {
  test.each([
    [{ KEI_DISABLED_HOOKS: 'vade-gate' }, 0],
    [{ KEI_DISABLED_HOOKS: 'one,agent-capability-check two' }, 0],
    [{ KEI_DISABLED_HOOKS: 'policy::no-git-ops' }, 0],
    [{ KEI_DISABLED_HOOKS: 'all' }, 0],
    [{ KEI_DISABLED_HOOKS: 'not-all-of-them' }, 2],
    [{ KEI_HOOK_PROFILE: 'off' }, 0],
    [{ KEI_HOOK_PROFILE: 'minimal' }, 0],
    [{ KEI_HOOK_PROFILE: 'none' }, 0],
    [{ KEI_HOOK_PROFILE: 'full' }, 2],
    [{ KEI_HOOK_PROFILE: 'advisory-off' }, 2],
  ])('%o: a relaxable atom answers with exit %i', (env, exit) => {
    expect(pushed(env)).toBe(exit);
  });

  test('advisory-off switches advice off, and nothing else', () => {
    const advised = (env: Record<string, string>) => {
      const role = roleWith({ gates: gates({ relaxable: true, severity: 'advisory' }) });
      return gateOn(() => ({ role }), env).bash('git push').answer.log.length;
    };
    expect([advised({}), advised({ KEI_HOOK_PROFILE: 'advisory-off' })]).toEqual([1, 0]);
  });

  test.each([{ KEI_DISABLED_HOOKS: 'all' }, { KEI_HOOK_PROFILE: 'off' }, { ORCHESTRATOR_META: '1' }])(
    '%o switches no atom off that may not be relaxed',
    (env) => {
      expect(pushed(env, { relaxable: false, bypass_env: 'ORCHESTRATOR_META' })).toBe(2);
    },
  );

  test('nothing switches off what guards the gate itself', () => {
    const { ask, own } = gateOn(() => ({ role: roleWith({ gates: [] }) }), { KEI_DISABLED_HOOKS: 'all' });
    expect(ask('Write', { file_path: own.gate, content: '' }).answer.exit).toBe(2);
  });
});

describe('severities', () => {
  test('a warning lets the call through and is said on stderr; advice is only in the log', () => {
    const { seal, bash, one, vade } = gateFolder();
    seal(bindingOf(one, { role: roleWith({ gates: gates({ severity: 'warn' }) }) }));
    const warned = bash('git push');
    expect(warned).toMatchObject({ exit: 0, stdout: '' });
    expect(warned.stderr).toContain('policy::no-git-ops');
    expect(existsSync(join(vade, 'advisory.log'))).toBe(false);
    seal(bindingOf(one, { role: roleWith({ gates: gates({ severity: 'advisory' }) }) }));
    expect(bash('git push')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(vade, 'advisory.log'), 'utf8')).toContain('policy::no-git-ops');
  });
});
