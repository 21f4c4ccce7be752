import { toRecallGarden } from '../gardens/probe-gate.ts';
import type { ThreadWork } from '../gardens/threads/build-threads.ts';
import { screenTexts } from '../gardens/threads/past-texts.ts';
import { loadEncoder } from '../io/models/encoder.ts';
import { answerCalls } from '../io/process/thread-answers.ts';
import { hnswLibrary } from '../recall/ann/hnsw.ts';
import { buildMeasuredIndex } from '../recall/everyday/measured-index.ts';
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
    buildMeasuredIndex(
      units,
      await encoderOf(model),
      { library: () => (hasGraph ? hnswLibrary() : null) },
      functionWords,
    ),
  screen: (texts) => screenTexts(texts),
};

answerCalls(() => WORK);
