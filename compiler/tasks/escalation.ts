import type { Escalation } from '../schema/capability/tools.ts';

/**
 * The policies for an agent that cannot go on: the words that its line in the report begins with, and its instructions.
 */
const POLICIES: Readonly<Record<Escalation, { readonly mark: string; readonly text: string }>> = {
  'ask-via-return': {
    mark: 'QUESTION:',
    text: `## When you cannot go on

You MUST stop and ask in your report when you cannot go on within these rules, because nobody answers you while you work.
Write one line for each question, which begins with \`QUESTION:\`, and say what you did and what you left undone.
`,
  },
  'orchestrator-notify': {
    mark: 'NOTICE:',
    text: `## When something stands in your way

You MUST tell the orchestrator in your report of everything that stood in your way, because it decides what follows. Write one
line for each, which begins with \`NOTICE:\`. Go on with whatever does not depend on it, within these rules.
`,
  },
  'fail-fast': {
    mark: 'FAILED:',
    text: `## When something fails

You MUST stop at the first thing that you cannot do within these rules, because half a change is worse than none. Change
nothing more, and end with a report that has one line which begins with \`FAILED:\` and says why.
`,
  },
};

/** The text of a prompt about escalation. */
export function escalationText(policy: Escalation): string {
  return POLICIES[policy].text;
}

/** An agent's escalation: with its policy's mark, or that of another policy. */
export interface Escalated {
  readonly policy: Escalation;
  readonly text: string;
}

const MOST = 50;
const MAX_LINE = 500;

/** The lines of a report that escalate, in their order. Untrusted: few and short. */
export function escalationsIn(report: string): Escalated[] {
  const policies = Object.entries(POLICIES) as [Escalation, { mark: string }][];
  const found = report.split(/\r?\n/).flatMap((line) => {
    const plain = line.replace(/^[\s>*_#-]+/, '');
    const named = policies.find(([, { mark }]) => plain.startsWith(mark));
    return named === undefined
      ? []
      : [
          {
            policy: named[0],
            text: plain
              .slice(named[1].mark.length)
              .replace(/^[\s*_]+/, '')
              .trim()
              .slice(0, MAX_LINE),
          },
        ];
  });
  return found.slice(0, MOST);
}
