import { formatted } from '../support/formatted.ts';
import { namesIn, type Baseline } from './baseline.ts';
import { isMet, isMissed, type Run, type Status } from './checks.ts';

/**
 * The summary that is committed: no times and no paths, so that the same server gives the same bytes.
 *
 * @param file where it lies, which decides its style
 */
export async function summaryOf(
  version: string,
  runs: readonly Run[],
  baseline: Baseline,
  file: string,
): Promise<string> {
  const text = [
    '# MCP conformance',
    'Written by `npm run conformance`; do not edit.',
    `The official suite, \`@modelcontextprotocol/conformance\` ${version}, against \`vade serve\`: every server scenario` +
      ' that it has, under every revision of the protocol that it names for it. A warning of the suite counts as not met.',
    table(['revision', 'scenarios', 'checks met', 'checks not met'], revisionRows(runs)),
    '## Not met',
    'All of them are known, each for a reason:',
    ...baseline.map(reasonOf),
    '## Scenarios',
    'A scenario with neither does not apply.',
    table(['scenario', 'revision', 'checks met', 'checks not met'], runs.map(scenarioRow)),
  ].join('\n\n');
  return formatted(file, text);
}

function reasonOf(entry: Baseline[number]): string {
  const { title, reason } = entry;
  const names = namesIn([entry]).map((name) => `- \`${name}\``);
  return `### ${title}\n\n${reason}\n\n${names.join('\n')}`;
}

function revisionRows(runs: readonly Run[]): Cell[][] {
  const revisions = [...new Set(runs.map((it) => it.revision))];
  return revisions.map((revision) => {
    const own = runs.filter((it) => it.revision === revision);
    return [revision, own.length, ...counts(own)];
  });
}

const scenarioRow = (run: Run): Cell[] => [`\`${run.scenario}\``, run.revision, ...counts([run])];

function counts(runs: readonly Run[]): number[] {
  const statuses = runs.flatMap(({ checks }) => checks.map((it) => it.status));
  return [isMet, isMissed].map((is: (status: Status) => boolean) => statuses.filter(is).length);
}

type Cell = string | number;

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
