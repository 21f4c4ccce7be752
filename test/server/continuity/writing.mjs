// Writes capsules until it is killed, by a clock that is behind if `late` is given, in milliseconds:
// node writing.mjs <folder> <name> <file of acknowledged commits> [<late>]
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { openContinuity } from '../../../dist/server/continuity/open.js';

const [root, name, results, behind = '0'] = process.argv.slice(2);
// told by a test that waits in vain
const error = ({ reason }) => {
  appendFileSync(`${results}.troubles`, `${reason}\n`);
};
const capsules = openContinuity({ root, archiveDays: 90 }, { error });
const WRITERS = 4;
const now = () => Date.now() - Number(behind);

function upsertOf(id, number) {
  const at = new Date(now()).toISOString();
  // about as long as a rich capsule, and not to be compressed away
  const filler = Array.from({ length: 5 }, () => randomBytes(60).toString('base64url').slice(0, 80));
  const continuity = {
    top_priorities: [`number ${number}`],
    active_concerns: [],
    active_constraints: [],
    open_loops: filler,
    stance_summary: 'writes until it is killed',
    drift_signals: [],
  };
  const source = { producer: name, update_reason: 'manual' };
  const confidence = { continuity: 1, relationship_model: 1 };
  const capsule = {
    subject_kind: 'thread',
    subject_id: id,
    updated_at: at,
    verified_at: at,
    source,
    continuity,
    confidence,
  };
  return { subject_kind: 'thread', subject_id: id, capsule };
}

async function write(id, number) {
  const request = upsertOf(id, number);
  const subject = { kind: 'thread', id };
  return capsules.mutate('ada', { subject, verb: 'upsert', request, now: now(), author: name, key: null });
}

async function work(writer) {
  for (let number = 0; ; number++) {
    // every fourth write is of the subject that all processes write
    const id = number % 4 === 3 ? 'shared' : `${name}-${writer}`;
    try {
      const { commit } = await write(id, number);
      appendFileSync(results, `${commit} ${id} ${number}\n`);
    } catch (error) {
      // two writes of one instant, and a disk that is full
      appendFileSync(results, `!${error.code}\n`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, i) => work(i)));
