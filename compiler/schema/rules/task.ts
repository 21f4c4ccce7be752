import { explain } from './explanation.ts';

export const TASK = explain('task', {
  task_parameter_refused: [
    'A task gives a parameter that no atom of its role accepts',
    'It would have no effect, and the author of the task relies on it',
    'Remove it, or choose a role with an atom that accepts it',
  ],
  task_role_unknown: [
    'The bundle has no role with the name that the task gives',
    'Without a role an agent has no rules, no gate and no checks',
    'Correct `role`, or compile a bundle with the role',
  ],
  task_spawns_unknown: [
    'A task lets its agent start a role that the bundle does not have, or that cannot be spawned',
    'The gate would deny the start, in the middle of the work',
    'Correct `spawns`',
  ],
  task_whitelist_empty: [
    'A task gives no `files-whitelist`, though its role has an atom that enforces it',
    'An empty list is no limit: the agent may change every file that nothing else guards',
    'List what it may change',
  ],
});
