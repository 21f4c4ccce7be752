import type { Escalation } from '../schema/capability/tools.ts';

/** The policies for an agent that cannot go on: the mark that begins its line in the report, and its instructions. */
const POLICIES: Readonly<Record<Escalation, { readonly mark: string; readonly text: string }>> = {
  'ask-via-return': {
    mark: 'QUESTION:',
    text: `## When you cannot go on

You MUST stop and ask in your report when you cannot go on within these rules, because nobody can answer while you work.
Write each question on its own line, and begin the line with \`QUESTION:\`. Say what you did and what is not done.
`,
  },
  'orchestrator-notify': {
    mark: 'NOTICE:',
    text: `## When something blocks you

You MUST report everything that blocked you to the orchestrator, because it decides what happens next. Write one
line for each, and begin the line with \`NOTICE:\`. Continue with the work that does not depend on it, within these rules.
`,
  },
  'fail-fast': {
    mark: 'FAILED:',
    text: `## When something fails

You MUST stop at the first step that you cannot do within these rules, because half a change is worse than none. Make no
further change. End with a report in which one line begins with \`FAILED:\` and gives the reason.
`,
  },
};

/** The part of an agent's prompt about escalation. */
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
