import { z } from 'zod';

/**
 * The input of a WorktreeCreate hook, which a host writes; the host takes the output of the hook as the worktree's
 * path.
 */
export const WorktreeEvent = z.looseObject({
  hook_event_name: z.literal('WorktreeCreate'),
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4096),
});
