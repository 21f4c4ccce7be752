/** Classes of rules; the page of rules has a chapter for each. */
export const CLASSES = {
  security: 'Text that could turn an agent against the people it works for, or leak private data',
  craft: 'How well recall will find the units of a garden',
  unit: 'One file and its content',
  garden: 'Several files compared with each other',
  capability: 'Atoms and roles: what an agent is told, stopped by and judged by',
  task: 'What one agent is started for',
  gate: 'Checks that need the history, the approvals, the budgets or the encoder',
} as const;

export type RuleClass = keyof typeof CLASSES;

/** What a rule means, why it exists, and how to fix it. Sentences without their full stop. */
export interface Explanation {
  readonly class: RuleClass;
  readonly means: string;
  readonly why: string;
  readonly help: string;
  /** Whether `vade lint --fix` fixes it. */
  readonly fix: boolean;
}

/** Explanations of one class, in the order: what it means, why, how to fix it. */
export function explain<const Id extends string>(
  kind: RuleClass,
  rows: Readonly<Record<Id, readonly [means: string, why: string, help: string, fix?: 'fix']>>,
): Record<Id, Explanation> {
  const entries = Object.entries<readonly [string, string, string, 'fix'?]>(rows);
  const explained = entries.map(([id, [means, why, help, fix]]) => [
    id,
    { class: kind, means, why, help, fix: fix !== undefined },
  ]);
  return Object.fromEntries(explained) as Record<Id, Explanation>;
}
