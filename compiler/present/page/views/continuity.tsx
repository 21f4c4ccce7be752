import { useEffect, useState } from 'preact/hooks';
import type { AgentCapsules, BroughtLine, CapsuleLine } from '../../../continuity/schema/agent-capsules.ts';
import type { AgentAddress, ContinuityAsked, Source } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chip } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { age, instant, shown } from '../parts/wording.ts';

/** Capsules that an agent has kept across resets, and the view of a subject that it would be shown at a start. */
export function Capsules({ agent: { summary }, source }: AgentProps & { readonly source: Source }) {
  const { capsules } = source;
  if (capsules === null)
    return (
      <p>
        A report file contains no capsules: they belong to an agent. The page of a server (<code>/ui</code>) shows them.
      </p>
    );
  return <Kept read={(asked) => capsules(summary.name, asked)} />;
}

interface KeptProps {
  readonly read: (asked: ContinuityAsked) => Promise<AgentCapsules>;
}

function Kept({ read }: KeptProps) {
  const [chosen, setChosen] = useState<AgentAddress | null>(null);
  const [budget, setBudget] = useState<number | null>(null);
  const { answered, message } = useAnswer(read, chosen, budget);
  if (answered === null) return <p role="status">{message}</p>;
  const { answer, subject } = answered;
  if (!answer.is_kept)
    return (
      <p role="status">
        This server keeps no capsules: start it with <code>--continuity</code>.
      </p>
    );
  if (answer.capsules.length === 0) return <p role="status">This agent has no capsules.</p>;
  return (
    <>
      <Table
        caption="Capsules, the most salient first; all texts are the agent’s own"
        columns={columnsOf(setChosen)}
        rows={answer.capsules}
        keyOf={(it) => `${it.state} ${it.subject_kind} ${it.subject_id} ${it.updated_at}`}
      />
      <p role="status">{message}</p>
      {answer.brought !== null && <Brought brought={answer.brought} choose={setBudget} />}
      {subject !== null && <Startup subject={subject} startup={answer.startup} />}
    </>
  );
}

/** The answer to the last choice that has one, with the subject that it is about. An outdated answer is dropped. */
function useAnswer(read: KeptProps['read'], subject: AgentAddress | null, budget: number | null) {
  const [answered, setAnswered] = useState<{ answer: AgentCapsules; subject: AgentAddress | null } | null>(null);
  const [message, setMessage] = useState('Reading …');
  useEffect(() => {
    let isOutdated = false;
    read({ subject, budget }).then(
      (answer) => {
        if (isOutdated) return;
        setAnswered({ answer, subject });
        setMessage('');
      },
      (error: unknown) => {
        if (!isOutdated) setMessage(error instanceof Error ? error.message : 'The capsules cannot be read.');
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [subject, budget]);
  return { answered, message };
}

interface BroughtProps {
  readonly brought: NonNullable<AgentCapsules['brought']>;
  readonly choose: (budget: number) => void;
}

/** Capsules that a start brings back within a budget, and the parts of them that have no room in it. */
function Brought({ brought: { budget, least, most, tokens, capsules, warnings }, choose }: BroughtProps) {
  return (
    <section aria-label="What a start brings back">
      <h2>What a start brings back</h2>
      <label>
        Budget in tokens{' '}
        <input
          type="number"
          min={least}
          max={most}
          value={budget}
          onChange={({ currentTarget }) => {
            if (currentTarget.reportValidity()) choose(currentTarget.valueAsNumber);
          }}
        />
      </label>
      <p role="status">
        {tokens} of {budget} tokens{warnings.length > 0 && `; ${warnings.join(', ')}`}
      </p>
      <Table
        caption="The most salient open capsules, and what was trimmed of them"
        columns={BROUGHT}
        rows={capsules}
        keyOf={(it) => `${it.subject_kind} ${it.subject_id}`}
      />
    </section>
  );
}

const BROUGHT: readonly Column<BroughtLine>[] = [
  { head: 'Subject', heading: true, cell: (it) => `${it.subject_kind} ${shown(it.subject_id)}` },
  {
    head: 'Comes',
    cell: (it) =>
      it.tokens > 0 && it.source_state === 'active' ? it.source_state : <Chip kind="warn">{comesAs(it)}</Chip>,
  },
  { head: 'Tokens', numeric: true, cell: (it) => it.tokens },
  { head: 'Trimmed', prose: true, cell: (it) => (it.trimmed_fields.length === 0 ? '–' : it.trimmed_fields.join(', ')) },
];

function comesAs({ tokens, source_state }: BroughtLine): string {
  return tokens === 0 ? 'left out' : source_state;
}

function Startup({ subject, startup }: { readonly subject: AgentAddress } & Pick<AgentCapsules, 'startup'>) {
  if (startup === null) return null;
  return (
    <section aria-label="Startup view">
      <h2>
        What a start shows of {subject.kind} {shown(subject.id)}
      </h2>
      <p class="chips">
        <Chip kind={startup.source_state === 'active' ? '' : 'warn'}>{startup.source_state}</Chip>
        {startup.warnings.map((it) => (
          <Chip key={it} kind="warn">
            {it}
          </Chip>
        ))}
      </p>
      {startup.sections.map(({ name, texts }) => (
        <div key={name}>
          <h3>{name}</h3>
          <ul>
            {texts.map((text) => (
              <li key={text}>{shown(text)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function columnsOf(choose: (subject: AgentAddress) => void): readonly Column<CapsuleLine>[] {
  return [
    {
      head: 'Subject',
      heading: true,
      by: (it) => `${it.subject_kind} ${it.subject_id}`,
      cell: (it) => (
        <button
          type="button"
          onClick={() => {
            choose({ kind: it.subject_kind, id: it.subject_id });
          }}
        >
          {it.subject_kind} {shown(it.subject_id)}
        </button>
      ),
    },
    { head: 'Label', prose: true, cell: (it) => (it.label === null ? '–' : shown(it.label)) },
    { head: 'State', by: (it) => it.state, cell: (it) => it.lifecycle ?? it.state },
    { head: 'Age', numeric: true, by: (it) => it.age_seconds, cell: (it) => age(it.age_seconds) },
    { head: 'Freshness', by: (it) => it.phase, cell: (it) => it.phase },
    {
      head: 'Health',
      by: (it) => it.health,
      cell: (it) => (it.health === 'healthy' ? it.health : <Chip kind="warn">{it.health}</Chip>),
    },
    { head: 'Updated', by: (it) => it.updated_at, cell: (it) => <span class="when">{instant(it.updated_at)}</span> },
  ];
}
