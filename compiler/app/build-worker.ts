import { parentPort } from 'node:worker_threads';
import { toRecallGarden } from '../gardens/probe-gate.ts';
import type { ThreadWork } from '../gardens/threads/build-threads.ts';
import { screenTexts } from '../gardens/threads/past-texts.ts';
import { loadEncoder } from '../io/models/encoder.ts';
import { hnswLibrary } from '../recall/ann/hnsw.ts';
import { buildIndex } from '../recall/index/search-index.ts';
import { messageOf } from '../schema/errors.ts';
import type { NumberedAnswer, NumberedQuestion } from './build-threads.ts';
import { coverageJudge } from './coverage-judge.ts';

const encoderOf = async (model: string | null) => (model === null ? null : (await loadEncoder('', 'builtin')).encoder);

/** A thread works as the compile itself does. */
const WORK: ThreadWork = {
  judge: async ({ files, facts, units, model, now }) => {
    // bytes that come through a message are a plain array
    const buffers = new Map([...files].map(([path, bytes]) => [path, Buffer.from(bytes)]));
    const garden = toRecallGarden({ graphs: { library: hnswLibrary } }, facts, { files: buffers });
    return coverageJudge(null)(garden, units, await encoderOf(model), now);
  },
  index: async ({ units, model, functionWords, hasGraph }) =>
    buildIndex(units, await encoderOf(model), { library: () => (hasGraph ? hnswLibrary() : null) }, functionWords),
  screen: (texts) => screenTexts(texts),
};

async function answerOf({ id, work, question }: NumberedQuestion): Promise<NumberedAnswer> {
  try {
    return { id, answer: await (WORK[work] as (asked: unknown) => Promise<unknown>)(question) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

parentPort?.on('message', (asked: NumberedQuestion) => {
  void answerOf(asked).then((reply) => parentPort?.postMessage(reply));
});
