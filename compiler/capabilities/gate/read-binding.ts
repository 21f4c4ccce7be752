import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { BoundAgent, BoundRole } from '../../schema/capability/binding.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import type { Severity } from '../../schema/capability/tools.ts';
import { asFields, fieldOf, flagOf, itemsOf, parametersOf, textOf, textOrNull, textsOf } from './read-json.ts';

/** As the schema of bindings names it; a test compares the two. */
export const TYPE = 'application/vnd.vademecum.binding+json';

/** A longer file is no binding. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SIGNATURES = 16;

export function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The orchestrator's public key, if it is the one that the hook's command line names. @throws if it is not */
export function readKey(pem: string, fingerprint: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new TypeError('a private key lies where the public one belongs');
  const key = createPublicKey(pem);
  const isNamed = sha256(key.export({ type: 'spki', format: 'der' })) === fingerprint;
  if (key.asymmetricKeyType !== 'ed25519' || !isNamed)
    throw new TypeError('the key of the orchestrator is another one');
  return key;
}

/** Verifies the seal of a binding and reads it. @throws if any of it is wrong */
export function readBinding(bytes: Buffer, key: KeyObject, fingerprint: string): BoundAgent {
  if (bytes.length > MAX_BYTES) throw new TypeError('the binding is too long');
  const envelope = asFields(JSON.parse(bytes.toString('utf8')));
  if (textOf(envelope, 'payloadType') !== TYPE) throw new TypeError('the envelope holds no binding');
  const payload = Buffer.from(textOf(envelope, 'payload'), 'base64');
  const signatures = itemsOf(envelope, 'signatures').map(asFields);
  if (signatures.length > MAX_SIGNATURES) throw new TypeError('the envelope has too many signatures');
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `), payload]);
  const isSealed = signatures.some(
    (it) => textOf(it, 'keyid') === fingerprint && verify(null, message, key, Buffer.from(textOf(it, 'sig'), 'base64')),
  );
  if (!isSealed) throw new TypeError('the seal of the binding is broken');
  return bindingOf(JSON.parse(payload.toString('utf8')));
}

function bindingOf(value: unknown): BoundAgent {
  const from = asFields(value);
  if (fieldOf(from, 'format') !== 1) throw new TypeError('the binding has another format');
  return {
    format: 1,
    worktree: textOf(from, 'worktree'),
    agent_id: textOf(from, 'agent_id'),
    parent: textOrNull(from, 'parent'),
    task: textOf(from, 'task'),
    role: roleOf(fieldOf(from, 'role')),
    parameters: parametersOf(from, 'parameters'),
    spawns: [...textsOf(from, 'spawns')],
    bundle_revision: textOf(from, 'bundle_revision'),
  };
}

function roleOf(value: unknown): BoundRole {
  const from = asFields(value);
  const tools = asFields(fieldOf(from, 'tools'));
  return {
    role: textOf(from, 'role'),
    gates: itemsOf(from, 'gates').map(gateOf),
    tools: { allowed: [...textsOf(tools, 'allowed')], denied: [...textsOf(tools, 'denied')] },
    shell: { allowed: [...textsOf(asFields(fieldOf(from, 'shell')), 'allowed')] },
  };
}

function gateOf(value: unknown): ResolvedGate {
  const from = asFields(value);
  return {
    atom: textOf(from, 'atom'),
    module: textOf(from, 'module'),
    event: textOf(from, 'event'),
    severity: severityOf(textOf(from, 'severity')),
    bypass_env: textOrNull(from, 'bypass_env'),
    relaxable: flagOf(from, 'relaxable'),
    parameters: [...textsOf(from, 'parameters')],
    patterns: [...textsOf(from, 'patterns')],
    paths: [...textsOf(from, 'paths')],
    tools_denied: [...textsOf(from, 'tools_denied')],
  };
}

function severityOf(text: string): Severity {
  if (text === 'block' || text === 'warn' || text === 'advisory') return text;
  throw new TypeError('the severity is unknown');
}
