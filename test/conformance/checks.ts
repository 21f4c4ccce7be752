import { z } from 'zod';

/** One check of the suite, as its `checks.json` has it. INFO and SKIPPED count for nothing. */
const Check = z.object({
  id: z.string(),
  status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'INFO', 'SKIPPED']),
  errorMessage: z.string().default(''),
});

export const Checks = z.array(Check);

/** A scenario as it was run under one revision of the protocol. */
export interface Run {
  readonly revision: string;
  readonly scenario: string;
  readonly checks: z.infer<typeof Checks>;
}

export type Status = z.infer<typeof Check>['status'];

/** A warning says that something recommended is missing: it counts as not met. */
export const isMissed = (status: Status): boolean => status === 'FAILURE' || status === 'WARNING';
export const isMet = (status: Status): boolean => status === 'SUCCESS';
