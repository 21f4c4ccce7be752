import type { KeyObject } from 'node:crypto';
import type { BoundAgent, BoundRole } from '../../schema/capability/binding.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import type { Severity } from '../../schema/capability/tools.ts';
import { openSealed } from './open-sealed.ts';
import { assertApproved, consentOf } from './prove-approved.ts';
import { asFields, fieldOf, flagOf, itemsOf, parametersOf, textOf, textOrNull, textsOf } from './read-json.ts';
import type { PinnedRoot } from './read-root.ts';

/** As the schema of bindings names it; a test compares the two. */
export const TYPE = 'application/vnd.vademecum.binding+json';

/** The keys and the trust root that a binding is verified with, as the hook's command line names them. */
export interface Proof {
  readonly orchestrator: KeyObject;
  /** The fingerprint of that key. */
  readonly fingerprint: string;
  readonly root: PinnedRoot;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Verifies the seal of a binding, and that administrators approved its role exactly as it is: a stolen key of the
 * orchestrator, or of CI, cannot loosen a role.
 *
 * @throws if any of it is wrong
 */
export function readBinding(bytes: Buffer, { orchestrator, fingerprint, root, now }: Proof): BoundAgent {
  const { payload, signedBy } = openSealed(bytes, TYPE);
  if (signedBy(new Map([[fingerprint, () => orchestrator]])).length === 0)
    throw new TypeError('the binding has no valid signature of the orchestrator');
  const from = asFields(JSON.parse(payload.toString('utf8')));
  const binding = bindingOf(from);
  assertApproved(fieldOf(from, 'role'), binding.role, consentOf(fieldOf(from, 'consent')), root, now);
  return binding;
}

function bindingOf(from: Readonly<Record<string, unknown>>): BoundAgent {
  if (fieldOf(from, 'format') !== 1) throw new TypeError('the format of the binding is unknown');
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
    tools: {
      allowed: [...textsOf(tools, 'allowed')],
      denied: [...textsOf(tools, 'denied')],
      ...(Object.hasOwn(tools, 'reading') && { reading: [...textsOf(tools, 'reading')] }),
    },
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
