import { expect, test } from 'vitest';
import { agentCall } from '../../../compiler/tasks/use-cases/agent-call.ts';
import { composed, libraryRole, taskToml } from '../../support/tasks.ts';

const callOf = (more = '') => {
  const composition = composed(taskToml('edit-local', 'Mend it.', more), libraryRole('edit-local'));
  return { call: agentCall(composition), prompt: composition.prompt.toString('utf8') };
};

test('a host starts an agent in a worktree and in the background, by its task, its role and the whole prompt', () => {
  const { call, prompt } = callOf();
  expect(call).toEqual({
    tool: 'Agent',
    input: {
      description: 'fix-login',
      prompt,
      subagent_type: 'edit-local',
      isolation: 'worktree',
      run_in_background: true,
    },
  });
});

test('a description and a type of agents that the task gives are used instead', () => {
  const { input } = callOf('description = "Mend the login"\nagent-type = "code-implementer"\n').call;
  expect([input.description, input.subagent_type]).toEqual(['Mend the login', 'code-implementer']);
});
