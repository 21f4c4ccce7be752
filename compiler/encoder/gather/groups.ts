import { z } from 'zod';

/** Words and phrases with one meaning at work (`domain/groups.yaml`). */
export const Group = z.strictObject({
  id: z.string(),
  means: z.string(),
  words: z.array(z.string()).min(5).max(12),
  examples: z.array(z.string()).length(3),
});

export type Group = z.infer<typeof Group>;
