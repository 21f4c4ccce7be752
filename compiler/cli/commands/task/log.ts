import { z } from 'zod';
import { TASK_LOG } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';

const RowShape = z.object({
  seq: z.int(),
  at: z.string(),
  kind: z.enum(['spawn', 'bypass', 'revocation', 'verify', 'clean', 'explanation']),
  agent_id: z.string(),
  sealed: z.boolean().nullable(),
  details: z.record(z.string(), z.unknown()),
});

export const taskLogCommand = defineCommand({
  path: 'task.log',
  description: 'Show the ledger: spawned, judged, bypassed, revoked and removed agents, the newest first',
  danger: 'safe',
  flags: TASK_LOG,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.object({ rows: z.array(RowShape) }),
  examples: [{ description: 'Who works on what', command: 'vade task log' }],
  run: async (args, world) => {
    const { readLog } = await import('../../../tasks/use-cases/read-log.ts');
    const rows = await readLog(args, world);
    const lines = rows.map(({ at, kind, agent_id, sealed, details }) => {
      const seal = sealed === false ? ' NOT SEALED' : '';
      const about = ['task', 'atom', 'reason', 'verdict'].flatMap((it) => {
        const said = details[it];
        return typeof said === 'string' ? [said] : [];
      });
      return `${at} ${kind} ${agent_id}${seal} ${about.join(' ')}`.trimEnd();
    });
    return { data: { rows }, text: lines.length === 0 ? 'no agent has been spawned here' : lines };
  },
});
