import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../../compiler/capabilities/gate/disk-store.ts';
import { sha256 } from '../../compiler/capabilities/gate/open-sealed.ts';
import { runGate } from '../../compiler/capabilities/gate/run-gate.ts';
import { sealBinding } from '../../compiler/capabilities/gate/seal-binding.ts';
import type { Binding } from '../../compiler/schema/capability/binding.ts';
import type { ResolvedRole } from '../../compiler/schema/capability/resolved-role.ts';
import type { Approval } from '../../compiler/schema/source/approval.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { signApproval } from '../../compiler/trust/approval.ts';
import { roleClaims } from '../../compiler/trust/capability-consent.ts';
import { tempFolder } from './folder.ts';
import { bindingOf, roleWith } from './gate.ts';
import { newSigner, person, staff, type Person } from './staff.ts';

/** Approvals of a role by these, as a binding carries them; a bypass that it keeps is approved too. */
export function approvalsOf(role: ResolvedRole, by: readonly Person[], over: Partial<Approval> = {}): string[] {
  const signers = by.map((it) => it.signer);
  const rest = { source_digest: null, note: 'read, and found harmless', expires: null };
  return roleClaims('acme', role).map((claim) => signApproval({ ...claim, ...rest, ...over }, signers).toString());
}

/** Two bound worktrees, the second under a lax role, a person's folder, and ways to ask the gate in this process. */
export function gateFolder(over: Partial<TrustRoot> = {}) {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const [vade, one, two, outside] = [at('vade'), at('trees/one'), at('trees/two'), at('person')];
  for (const it of [vade, join(one, 'src'), two, outside, at('home')]) mkdirSync(it, { recursive: true });
  const orchestrator = newSigner();
  writeFileSync(join(vade, ORCHESTRATOR_FILE), orchestrator.publicPem);
  const admins = [person('bea'), person('carl')] as const;
  const { root: trust } = staff(admins, over);
  writeFileSync(join(vade, ROOT_FILE), trust.envelope);

  /** Seals a binding; its role is approved by the first administrator, unless approvals are given. */
  const seal = (binding: Binding, signer = orchestrator, approvals = approvalsOf(binding.role, admins.slice(0, 1))) => {
    const { bytes, file } = sealBinding({ ...binding, consent: { ...binding.consent, approvals } }, signer);
    mkdirSync(dirname(join(vade, file)), { recursive: true });
    writeFileSync(join(vade, file), bytes);
    mkdirSync(join(vade, 'agents'), { recursive: true });
    writeFileSync(join(vade, 'agents', sha256(binding.agent_id)), sha256(binding.worktree));
  };

  const pins = ['--orchestrator', orchestrator.keyid, '--root', sha256(trust.envelope)];
  const hookArguments = ['--tasks', vade, ...pins, '--worktrees', at('trees')];
  const runWith = (input: string, env: Record<string, string> = {}, more: readonly string[] = []) => {
    const machine = { env, home: at('home'), gate: at('vade-gate.cjs'), now: Date.now() };
    return runGate([...hookArguments, ...more], () => input, machine);
  };

  const call = (tool: string, input: Record<string, unknown>, event: Record<string, unknown> = {}) =>
    JSON.stringify({
      session_id: 'session-1',
      transcript_path: '/t.jsonl',
      cwd: one,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
      tool_use_id: 'toolu_1',
      ...event,
    });
  const bash = (command: string, event: Record<string, unknown> = {}) => runWith(call('Bash', { command }, event));

  seal(bindingOf(one));
  seal(bindingOf(two, { agent_id: 'agent-2', role: roleWith({ role: 'lax', gates: [] }) }));
  const home = at('home');
  return {
    root,
    home,
    vade,
    one,
    two,
    person: outside,
    orchestrator,
    admins,
    hookArguments,
    seal,
    runWith,
    call,
    bash,
  };
}
