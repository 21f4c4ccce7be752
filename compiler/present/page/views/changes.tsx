import type { UnitChange } from '../../../schema/report/agent-report.ts';
import { versionsIn } from '../data/versions.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Diff } from '../parts/diff.tsx';
import { Chip } from '../parts/mark.tsx';
import { agentHref } from '../parts/route.ts';
import { count, percent, whole } from '../parts/wording.ts';

const WORDS: Record<UnitChange['kind'], { readonly word: string; readonly kind: 'good' | 'warn' | 'bad' | '' }> = {
  added: { word: 'added', kind: 'good' },
  changed: { word: 'changed', kind: 'warn' },
  delivery: { word: 'delivery changed', kind: '' },
  removed: { word: 'removed', kind: 'bad' },
};

const TEXTS: Record<UnitChange['kind'], string> = {
  added: 'Text',
  changed: 'Difference of the texts',
  delivery: 'Difference of the texts',
  removed: 'Text before the removal',
};

/** The changes of an agent's units since the previous bundle. */
export function Changes(props: AgentProps) {
  const { changes, probes } = props.agent;
  if (changes === null) return <p>There is no earlier bundle to compare with.</p>;
  if (changes.length === 0) return <p>No unit of this agent changed.</p>;
  const moved = (probes?.won.length ?? 0) + (probes?.lost.length ?? 0);
  return (
    <>
      <p class="lede">
        {count(changes.length, 'unit')} changed
        {moved > 0 && (
          <>
            ; <a href={agentHref(props.agent.summary.name, 'probes')}>{count(moved, 'probe')} won or lost</a>
          </>
        )}
        .
      </p>
      {changes.map((it) => (
        <Change key={it.name} {...props} change={it} />
      ))}
    </>
  );
}

function Change({ agent, report, change }: AgentProps & { readonly change: UnitChange }) {
  const { name, kind, from, to, coverage, findability } = change;
  const { versions } = versionsIn(agent, report, name);
  const textOf = (place: UnitChange['from']) =>
    place === null ? '' : (versions.find((it) => it.uri === place.uri)?.content ?? null);
  const before = textOf(from);
  const after = textOf(to);
  return (
    <section class="change" aria-label={`${name}, ${WORDS[kind].word}`}>
      <h2>
        {kind === 'removed' ? name : <a href={agentHref(agent.summary.name, 'units', name)}>{name}</a>}{' '}
        <Chip kind={WORDS[kind].kind}>{WORDS[kind].word}</Chip> {change.shared && <Chip>shared</Chip>}
      </h2>
      <p>
        {from && `v${from.version}, ${whole(from.tokens)} tokens`}
        {from && to && ' → '}
        {to && `v${to.version}, ${whole(to.tokens)} tokens`}
        {(coverage.from !== null || coverage.to !== null) &&
          `; coverage ${percent(coverage.from)} → ${percent(coverage.to)}`}
        {(findability.from !== null || findability.to !== null) &&
          `; findability ${share(findability.from)} → ${share(findability.to)}`}
      </p>
      {before !== null && after !== null && before !== after && (
        <details open={kind === 'changed'}>
          <summary>{TEXTS[kind]}</summary>
          <Diff before={before} after={after} />
        </details>
      )}
    </section>
  );
}

const share = (it: number | null): string => it?.toFixed(2) ?? '–';
