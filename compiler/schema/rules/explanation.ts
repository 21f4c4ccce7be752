/** Classes of rules; the page of rules has a chapter for each. */
export type RuleClass = 'security' | 'craft' | 'unit' | 'garden' | 'capability' | 'task' | 'gate';

/** The meaning of a rule, its reason, and its fix. Sentences without their full stop. */
export interface RuleExplanation {
  readonly class: RuleClass;
  readonly means: string;
  readonly why: string;
  readonly help: string;
  /** Whether `vade lint --fix` fixes it. */
  readonly fix: boolean;
}

/** Explanations of one class, in the order: meaning, reason, fix. */
export function explain<const Id extends string>(
  kind: RuleClass,
  rows: Readonly<Record<Id, readonly [means: string, why: string, help: string, fix?: 'fix']>>,
): Record<Id, RuleExplanation> {
  const entries = Object.entries<readonly [string, string, string, 'fix'?]>(rows);
  const explained = entries.map(([id, [means, why, help, fix]]) => [
    id,
    { class: kind, means, why, help, fix: fix !== undefined },
  ]);
  return Object.fromEntries(explained) as Record<Id, RuleExplanation>;
}
