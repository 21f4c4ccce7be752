import { z } from 'zod';

/** What a host writes to a WorktreeCreate hook; it takes what the hook prints for the worktree's path. */
export const WorktreeEvent = z.looseObject({
  hook_event_name: z.literal('WorktreeCreate'),
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4096),
});
