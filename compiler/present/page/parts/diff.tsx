import { structuredPatch } from 'diff';
import { useMemo } from 'preact/hooks';
import { shown } from './wording.ts';

/** Unchanged lines around a change. */
const CONTEXT = 3;

const SIGNS = { '+': 'added', '-': 'removed', ' ': '' } as const;

/** The difference of two texts, by line. Signs mark removed and added lines, not only colours. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const hunks = useMemo(
    () => structuredPatch('', '', before, after, '', '', { context: CONTEXT, timeout: 2000 })?.hunks ?? null,
    [before, after],
  );
  if (hunks === null) return <p>These texts differ too much to be compared here.</p>;
  if (hunks.length === 0) return <p>The texts are the same.</p>;
  return (
    <div class="diff" role="region" aria-label="Differences" tabIndex={0}>
      {hunks.map((hunk) => (
        <pre key={`${hunk.oldStart} ${hunk.newStart}`}>
          <span class="place">
            line {hunk.oldStart} → {hunk.newStart}
            {'\n'}
          </span>
          {hunk.lines.map((line, at) => (
            <Line key={at} line={line} />
          ))}
        </pre>
      ))}
    </div>
  );
}

function Line({ line }: { readonly line: string }) {
  const text = `${shown(line)}\n`;
  const sign = SIGNS[line.charAt(0) as keyof typeof SIGNS] as string | undefined;
  if (sign === 'added') return <ins>{text}</ins>;
  if (sign === 'removed') return <del>{text}</del>;
  return <span>{text}</span>;
}
