import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { defineCommand } from '../../registry.ts';

export const gateCommand = defineCommand({
  path: 'gate',
  description: 'Decide one tool call on stdin as a hook does; hooks start vade-gate.cjs itself, which is faster',
  danger: 'mutating',
  ownsStdout: true,
  flags: {
    tasks: { type: 'string', description: 'Folder of bindings: <git-common-dir>/vade, absolute' },
    orchestrator: { type: 'string', description: 'Fingerprint of the orchestrator’s key' },
    root: { type: 'string', description: 'Fingerprint of the trust root’s file' },
    worktrees: { type: 'string', description: 'Folder of all worktrees of agents, absolute' },
    settings: { type: 'string', description: 'Settings file that contains the hook, absolute; no agent may write it' },
    explain: { type: 'boolean', description: 'Print what every atom says, as JSON' },
  },
  exits: ['PARTIAL_FAILURE'],
  output: z.object({}),
  examples: [
    {
      description: 'What the hook answers',
      command: 'vade gate --tasks "$PWD/.git/vade" --orchestrator "$KEY" --root "$ROOT" --explain',
    },
  ],
  run: async ({ explain, tasks, orchestrator, root, worktrees, settings }, world) => {
    const { answerAsHook } = await import('../../../capabilities/use-cases/answer-as-hook.ts');
    const given = Object.entries({ tasks, orchestrator, root, worktrees, settings }).filter(
      ([, value]) => value !== undefined,
    );
    const words = given.flatMap(([name, value]) => [`--${name}`, value ?? '']);
    const { exit, stdout, stderr } = await answerAsHook([...words, ...(explain ? ['--explain'] : [])], world);
    if (stdout !== '') world.streams().output.write(stdout);
    for (const line of stderr.split('\n').filter((it) => it !== '')) world.say(line);
    if (exit !== 0) throw new VadeError('call_denied', 'the call is denied');
    return { data: {}, text: '' };
  },
});
