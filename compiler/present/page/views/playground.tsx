import { useEffect, useState } from 'preact/hooks';
import type { TriedRecall } from '../../../schema/api/tried-recall.ts';
import type { Question, Server } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Term } from '../parts/term.tsx';
import type { TermName } from '../parts/terms.ts';
import { count, whole } from '../parts/wording.ts';
import { AnswerTexts } from './answer-texts.tsx';
import { Ranking } from './ranking.tsx';

/** Pause in typing before a request, in milliseconds. */
const PAUSE = 400;

type Ask = (question: Question) => Promise<TriedRecall>;

interface PlaygroundProps extends AgentProps {
  readonly server: Server;
}

/** Shows which units a recall returns while a person types an intent. */
export function PlaygroundView({ agent, report, server }: PlaygroundProps) {
  const { name } = agent.summary;
  const [question, setQuestion] = useState<Question>({ intent: '', max_chunks: 3, token_budget: 2000, files: [] });
  const { answer, message } = useAnswer((it) => server.ask(name, it), question);
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
      <p class="lede">What would {name} be told? This server ranks; nothing is written to the audit.</p>
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
      <p role="status">{message === '' && answer ? wordsOf(answer) : message}</p>
      {answer && (
        <>
          <AnswerTexts agent={agent} report={report} tried={answer} />
          <Ranking agent={name} tried={answer} />
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

function wordsOf({ order, total_tokens, warnings, truncated, by_files: by, explain }: TriedRecall): string {
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
function useAnswer(ask: Ask, question: Question) {
  const [answer, setAnswer] = useState<TriedRecall | null>(null);
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (question.intent.trim() === '') {
      setAnswer(null);
      setMessage('');
      return undefined;
    }
    let isOutdated = false;
    const timer = setTimeout(() => {
      ask(question).then(
        (it) => {
          if (isOutdated) return;
          setMessage('');
          setAnswer(it);
        },
        (error: unknown) => {
          if (!isOutdated) setMessage(error instanceof Error ? error.message : 'This cannot be answered.');
        },
      );
    }, PAUSE);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [question]);
  return { answer, message };
}
