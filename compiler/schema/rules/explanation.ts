/** What rules are about; the page of rules has a chapter for each. */
export const CLASSES = {
  security: 'What could turn an agent against the people it works for, or give away what must stay inside',
  craft: 'How well a garden will be recalled',
  unit: 'One file, and what is written in it',
  garden: 'Files held against each other',
  gate: 'What the compile decides with history, approvals, budgets and the encoder',
} as const;

export type RuleClass = keyof typeof CLASSES;

/** What a rule means, why it is there, and the way out. Sentences without their full stop. */
export interface Explanation {
  readonly class: RuleClass;
  readonly means: string;
  readonly why: string;
  readonly mend: string;
  /** Whether `vade lint --fix` mends it. */
  readonly fix: boolean;
}

/** Explanations of one class, in the order: what it means, why, how to mend it. */
export function explain<const Id extends string>(
  kind: RuleClass,
  rows: Readonly<Record<Id, readonly [means: string, why: string, mend: string, fix?: 'fix']>>,
): Record<Id, Explanation> {
  const entries = Object.entries<readonly [string, string, string, 'fix'?]>(rows);
  const explained = entries.map(([id, [means, why, mend, fix]]) => [
    id,
    { class: kind, means, why, mend, fix: fix !== undefined },
  ]);
  return Object.fromEntries(explained) as Record<Id, Explanation>;
}
