import type { ExportTarget } from '../../compiler/export/exported-agent.ts';
import { formatted } from '../support/formatted.ts';
import type { Verdict } from './judge.ts';
import type { RoundTrip } from './round-trip.ts';

/** One export, what the judges say of it, and what comes back. */
export interface Judged {
  readonly title: string;
  readonly target: ExportTarget;
  readonly verdicts: readonly Verdict[];
  readonly back: RoundTrip;
}

/** The summary that is committed: no times and no paths. @param file where it lies, which decides its style */
export async function summaryOf(judged: readonly Judged[], file: string): Promise<string> {
  const verdicts = judged.flatMap(({ title, target, verdicts: all }) =>
    all.map((it) => [title, target, it.judge, it.taken, it.faults.length, it.advice.join(', ')]),
  );
  const text = [
    '# Judges of the exports',
    'Written by `npm run judges`; do not edit.',
    'Exports of what `vade init` makes (small) and of the agent `cto` of this repository (shipped), read by tools that nobody here wrote:' +
      ' the importers of rulesync 17.0.0, the linter agnix 0.59.3, and skills-ref 0.1.1, the reference library of Agent Skills.',
    table(['deployment', 'target', 'judge', 'files taken', 'errors', 'advice, by rule'], verdicts),
    '## Round trip',
    'Each export is migrated into empty sources with `vade migrate`. A line is compared without the depth of a heading and the target of a link;' +
      ' a description counts where it is the same, word for word.',
    table(['deployment', 'target', 'units', 'units proposed', 'names', 'descriptions', 'lines'], judged.map(rowOf)),
  ].join('\n\n');
  return formatted(file, text);
}

function rowOf({ title, target, back }: Judged): Cell[] {
  const of = (some: number) => `${some} of ${back.units}`;
  const lines = `${back.lines_back} of ${back.lines}`;
  return [title, target, back.units, back.proposed, of(back.names), of(back.descriptions), lines];
}

type Cell = string | number;

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
