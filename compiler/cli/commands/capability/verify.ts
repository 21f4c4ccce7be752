import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { defineCommand } from '../../registry.ts';

export const capabilityVerifyCommand = defineCommand({
  path: 'capability.verify',
  description: 'Judge work by one atom; AGENT_ID, TASK_TOML, WORKTREE_PATH, MAIN_REPO and RUN_MODE name the work',
  danger: 'safe',
  flags: { name: { type: 'string', required: true, description: 'Atom, such as quality::tests-green' } },
  operand: 'name',
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND'],
  output: z.object({ atom: z.string(), verdict: z.literal('holds'), findings: z.array(z.looseObject({})) }),
  examples: [{ description: 'As an orchestrator’s hook', command: 'vade capability verify scope::files-whitelist' }],
  run: async ({ name }, world) => {
    const { verifyAtom } = await import('../../../tasks/use-cases/verify/verify-atom.ts');
    const { atom, verdict, findings } = await verifyAtom(name, world);
    world.say(findings.map((it) => `${it.pass}: ${it.check} ${it.result} ${it.reason}`));
    if (verdict === 'violations') throw new VadeError('work_violates', `${atom} is violated`, { findings });
    if (verdict === 'unjudged') throw new VadeError('work_unjudged', `${atom} could not be judged`, { findings });
    return { data: { atom, verdict, findings }, text: `${atom} holds` };
  },
});
