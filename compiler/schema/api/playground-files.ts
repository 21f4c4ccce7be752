import { z } from 'zod';

/** The files for a report's playground, besides the agent's report: the garden's index. */
export const PlaygroundFiles = z.strictObject({
  /** The files of the index in base64, by path; without the graph of vectors. */
  index: z.record(z.string(), z.string()),
  /** Texts of legacy files, by path. */
  fallbacks: z.record(z.string(), z.string()),
  /** Names of units whose fact was withdrawn. */
  withdrawn: z.array(z.string()),
  /** Whether a server searches this garden approximately. */
  approximate: z.boolean(),
});

export type PlaygroundFiles = z.infer<typeof PlaygroundFiles>;
