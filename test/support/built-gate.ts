import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../compiler/capabilities/gate/read-binding.ts';
import { sealBinding } from '../../compiler/capabilities/gate/seal-binding.ts';
import type { Binding } from '../../compiler/schema/capability/binding.ts';
import { signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { tempFolder } from './folder.ts';
import { bindingOf, roleWith } from './gate.ts';

/** The file that hosts start. */
export const GATE = 'dist/compiler/capabilities/gate/vade-gate.cjs';

export function newSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return signerFromPem(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Two bound worktrees, the second under a lax role, a person's folder, and ways to start the built gate. */
export function builtGate() {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const [vade, one, two, person] = [at('vade'), at('trees/one'), at('trees/two'), at('person')];
  for (const it of [vade, join(one, 'src'), two, person, at('home')]) mkdirSync(it, { recursive: true });
  const orchestrator = newSigner();
  writeFileSync(join(vade, 'orchestrator.pem'), orchestrator.publicPem);

  const seal = (binding: Binding, signer = orchestrator) => {
    const { bytes, file } = sealBinding(binding, signer);
    mkdirSync(dirname(join(vade, file)), { recursive: true });
    writeFileSync(join(vade, file), bytes);
    mkdirSync(join(vade, 'agents'), { recursive: true });
    writeFileSync(join(vade, 'agents', sha256(binding.agent_id)), sha256(binding.worktree));
  };

  const runWith = (input: Buffer | string, env: Record<string, string> = {}, more: readonly string[] = []) => {
    const args = [GATE, '--folder', vade, '--key', orchestrator.keyid, '--worktrees', at('trees'), ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      input,
      env: { PATH: process.env['PATH'], HOME: at('home'), ...env },
      maxBuffer: 2 ** 26,
    });
    return { exit: status, stdout: stdout.toString(), stderr: stderr.toString() };
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
  return { root, vade, one, two, person, orchestrator, seal, runWith, call, bash };
}
