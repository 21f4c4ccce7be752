import type { Questions } from './messages.ts';

/** Answers to the questions of the other process. */
export type Answers = {
  readonly [K in keyof Questions]?: (given: Questions[K][0]) => Questions[K][1] | Promise<Questions[K][1]>;
};

interface Question {
  readonly ask: number;
  readonly what: keyof Questions;
  readonly given: unknown;
}

interface Answer {
  readonly answered: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** One end of a channel between two processes of this program, on which both ask and answer. */
export interface Channel {
  /** @throws Error if the other end refuses, has gone, or does not answer in time */
  readonly ask: <K extends keyof Questions>(what: K, given: Questions[K][0]) => Promise<Questions[K][1]>;
  /** Takes a message of the other end; ignores what is neither a question nor an answer. */
  readonly take: (message: unknown) => void;
  /** Refuses what is still asked: the other end has gone. */
  readonly close: () => void;
}

type Send = (message: object) => void;

/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 5000;

/** @param send sends a message; what cannot be sent is not answered */
export function openChannel(send: Send, answers: Answers): Channel {
  const asked = openQuestions();
  const ask = (what: keyof Questions, given: unknown) =>
    asked.add((id) => {
      send({ ask: id, what, given } satisfies Question);
    });
  return {
    ask: ask as Channel['ask'],
    take: (message) => {
      if (isQuestion(message)) void reply(message, answers, send);
      else if (isAnswer(message)) asked.settle(message);
    },
    close: asked.refuseAll,
  };
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The questions that wait for an answer. */
function openQuestions() {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const settle = ({ answered, answer, error }: Answer) => {
    const it = waiting.get(answered);
    waiting.delete(answered);
    clearTimeout(it?.timer);
    if (error === undefined) it?.resolve(answer);
    else it?.reject(new Error(error));
  };
  const add = (send: (id: number) => void) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const late = () => {
        settle({ answered: id, error: 'no answer in time' });
      };
      waiting.set(id, { resolve, reject, timer: setTimeout(late, ANSWER_MS).unref() });
      send(id);
    });
  const refuseAll = () => {
    for (const answered of [...waiting.keys()]) settle({ answered, error: 'the other process has ended' });
  };
  return { add, settle, refuseAll };
}

async function reply({ ask, what, given }: Question, answers: Answers, send: Send): Promise<void> {
  try {
    const known = answers[what] as ((given: unknown) => unknown) | undefined;
    if (known === undefined) throw new Error(`${what} is not answered here`);
    send({ answered: ask, answer: await known(given) } satisfies Answer);
  } catch (error) {
    send({ answered: ask, error: error instanceof Error ? error.message : String(error) } satisfies Answer);
  }
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'ask' in message;
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answered' in message;
}
