import { z } from 'zod';
import type { Decision } from '../../../tasks/use-cases/decide-agent.ts';
import { DECISION } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';

const DecisionShape = z.object({
  effect: z.enum(['noted', 'would_note']),
  kind: z.enum(['bypass', 'revocation']),
  agent_id: z.string(),
  atom: z.string().nullable(),
  reason: z.string(),
  at: z.string(),
});

function told({ kind, agent_id, atom, reason, at }: Decision, isDry: boolean) {
  const effect = isDry ? 'would_note' : 'noted';
  const of = atom === null ? agent_id : `${atom} of ${agent_id}`;
  return { data: { effect, kind, agent_id, atom, reason, at }, text: `${effect}: ${kind} of ${of}: ${reason}` };
}

export const taskBypassCommand = defineCommand({
  path: 'task.bypass',
  description: 'Record in the ledger that the check of an atom does not count for an agent, and why',
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: {
    ...DECISION,
    atom: {
      type: 'string',
      required: true,
      description: 'Atom that the role lists in bypasses, such as policy::no-git-ops',
    },
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: DecisionShape,
  examples: [
    {
      description: 'A check that cannot run today',
      command: 'vade task bypass --agent fix-login-1a2b3c4d --atom quality::tests-green --reason "no test server"',
    },
  ],
  run: async (args, world) => {
    const { bypassAtom } = await import('../../../tasks/use-cases/decide-agent.ts');
    return told(await bypassAtom(args, world), args['dry-run']);
  },
});

export const taskRevokeCommand = defineCommand({
  path: 'task.revoke',
  description: 'Revoke an agent, so that the gate denies its further calls; or revoke one bypass of it',
  // not destructive: its work stays, and the task may be spawned again
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: { ...DECISION, atom: { type: 'string', description: 'Revoke only the bypass of this atom' } },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: DecisionShape,
  examples: [
    {
      description: 'It went too far',
      command: 'vade task revoke --agent fix-login-1a2b3c4d --reason "edits the wrong files"',
    },
  ],
  run: async (args, world) => {
    const { revokeAgent } = await import('../../../tasks/use-cases/decide-agent.ts');
    return told(await revokeAgent(args, world), args['dry-run']);
  },
});
