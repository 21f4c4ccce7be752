import type { Encoder } from '../../recall/signals/semantic.ts';

/** Intents of different lengths, as agents ask them. The same for every deployment, so that figures can be compared. */
const ASKED = [
  'done for today',
  'may I delete these old files',
  'the build is red and I do not know why',
  'who has to approve a refund above the limit',
  'write a weekly report for the board',
  'a customer asks when the outage will be over, and nobody has answered the ticket since yesterday evening',
  'how do we name branches',
  'I was woken because an issue was assigned to me; what do I read first, and whom do I tell when I am blocked by another team',
];

const WARM_UP = 8;
const MEASURED = 56;

/** The median time to encode a query, in milliseconds, on this machine at this moment. */
export async function queryCost(encoder: Encoder): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + MEASURED; i++) {
    const start = performance.now();
    await encoder.encode([ASKED[i % ASKED.length] ?? ''], 'query');
    times.push(performance.now() - start);
  }
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
  return sorted[MEASURED / 2] ?? 0;
}
