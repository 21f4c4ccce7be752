import { useEffect, useState } from 'preact/hooks';
import type { Tried } from '../../../schema/api/tried-recall.ts';
import type { Playground, Question, Source } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { agentHref } from '../parts/route.ts';
import { Term } from '../parts/term.tsx';
import type { TermName } from '../parts/terms.ts';
import { count, whole } from '../parts/wording.ts';
import { AnswerTexts } from './answer-texts.tsx';
import { Ranking } from './ranking.tsx';

/** Pause in typing before a request, in milliseconds: short in a file, longer for a server. */
const PAUSES = { file: 120, server: 400 };

/** An answer, and the previous one. */
interface Answers {
  readonly now: Tried;
  readonly before: Tried | null;
}

/** Shows which units a recall returns while a person types an intent. */
export function PlaygroundView({ agent, report, source }: AgentProps & { readonly source: Source }) {
  const { name } = agent.summary;
  const [playground, setPlayground] = useState<Playground | null | undefined>(undefined);
  const [message, setMessage] = useState('');
  const fail = (error: unknown) => {
    setMessage(error instanceof Error ? error.message : 'This cannot be answered.');
  };
  useEffect(() => {
    source.playground(name).then(setPlayground, fail);
  }, [source, name]);
  if (playground === null)
    return (
      <p>
        This report was written without a playground. <a href={agentHref(name, 'units')}>The units of {name}</a>
      </p>
    );
  if (playground === undefined) return <p role="status">{message || 'Preparing …'}</p>;
  return (
    <>
      <p class="lede">
        What would {name} be told?{' '}
        {source.kind === 'server'
          ? 'This server ranks; nothing is written to the audit.'
          : 'The ranking runs in this page: nothing leaves it.'}
      </p>
      {playground.lacks !== null && <p class="notice">{playground.lacks}</p>}
      <Try playground={playground} pause={PAUSES[source.kind]} agent={agent} report={report} />
    </>
  );
}

interface TryProps extends AgentProps {
  readonly playground: Playground;
  readonly pause: number;
}

function Try({ playground, pause, agent, report }: TryProps) {
  const [question, setQuestion] = useState<Question>({ intent: '', max_chunks: 3, token_budget: 2000, files: [] });
  const { answers, message } = useAnswers(playground, question, pause);
  const change = (changed: Partial<Question>) => {
    setQuestion({ ...question, ...changed });
  };
  return (
    <form
      class="playground"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <label for="intent">What is the agent about to do?</label>
      <textarea
        id="intent"
        rows={2}
        maxLength={8000}
        value={question.intent}
        onInput={({ currentTarget }) => {
          change({ intent: currentTarget.value });
        }}
      />
      <Files change={change} />
      <Knobs question={question} change={change} />
      <p role="status">{message === '' && answers ? wordsOf(answers.now) : message}</p>
      {answers && (
        <>
          <AnswerTexts agent={agent} report={report} tried={answers.now} />
          <Ranking agent={agent.summary.name} tried={answers.now} before={answers.before} />
        </>
      )}
    </form>
  );
}

/** Paths of the files that the agent works on. */
function Files({ change }: Pick<KnobsProps, 'change'>) {
  return (
    <>
      <label for="files">Files that it works on, one per line</label> <Term of="by_files" />
      <textarea
        id="files"
        rows={1}
        onInput={({ currentTarget }) => {
          change({ files: currentTarget.value.split('\n').flatMap((it) => it.trim() || []) });
        }}
      />
    </>
  );
}

interface KnobsProps {
  readonly question: Question;
  readonly change: (changed: Partial<Question>) => void;
}

function Knobs({ question, change }: KnobsProps) {
  return (
    <p class="knobs">
      <Knob
        id="chunks"
        name="Units at most"
        max={50}
        value={question.max_chunks}
        onValue={(max_chunks) => {
          change({ max_chunks });
        }}
      />
      <Knob
        id="budget"
        name="Token budget"
        term="token_budget"
        max={100_000}
        value={question.token_budget}
        onValue={(token_budget) => {
          change({ token_budget });
        }}
      />
    </p>
  );
}

function wordsOf({ order, total_tokens, warnings, truncated, by_files: by, explain }: Tried): string {
  const came =
    order.length === 0 ? 'Nothing comes' : `${count(order.length, 'unit comes', 'units come')}: ${order.join(', ')}`;
  const instead = explain.displaced === null ? '' : ` in place of ${explain.displaced}`;
  const about = by ? ` ${by.name} is returned for a file${instead}: ${by.pattern} matches ${by.file}.` : '';
  const unsure = warnings.includes('low_confidence') ? ' Nothing fits well.' : '';
  return `${came}; ${whole(total_tokens)} tokens.${truncated ? ' One that ranks higher did not fit the budget.' : ''}${about}${unsure}`;
}

interface KnobProps {
  readonly id: string;
  readonly name: string;
  readonly term?: TermName;
  readonly max: number;
  readonly value: number;
  readonly onValue: (value: number) => void;
}

function Knob({ id, name, term, max, value, onValue }: KnobProps) {
  return (
    <span>
      <label for={id}>{name}</label>{' '}
      <input
        id={id}
        type="number"
        min={1}
        max={max}
        value={value}
        onInput={({ currentTarget }) => {
          const wanted = Number(currentTarget.value);
          if (Number.isInteger(wanted) && wanted >= 1 && wanted <= max) onValue(wanted);
        }}
      />{' '}
      {term !== undefined && <Term of={term} />}
    </span>
  );
}

/** Asks when typing pauses. An outdated answer is dropped. */
function useAnswers(playground: Playground, question: Question, pause: number) {
  const [answers, setAnswers] = useState<Answers | null>(null);
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (question.intent.trim() === '') {
      setAnswers(null);
      setMessage('');
      return undefined;
    }
    let isOutdated = false;
    const timer = setTimeout(() => {
      playground.ask(question).then(
        (now) => {
          if (isOutdated) return;
          setMessage('');
          setAnswers((it) => ({ now, before: it?.now ?? null }));
        },
        (error: unknown) => {
          if (!isOutdated) setMessage(error instanceof Error ? error.message : 'This cannot be answered.');
        },
      );
    }, pause);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [playground, question, pause]);
  return { answers, message };
}
