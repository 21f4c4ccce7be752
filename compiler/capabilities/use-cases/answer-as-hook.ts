import { gateProgram } from '../../io/programs/gate-file.ts';
import type { World } from '../../world/world.ts';
import { runGate, type Ended } from '../gate/run-gate.ts';

/** Answers the event on standard input as the file that hooks start does, by the same code. */
export async function answerAsHook(args: readonly string[], world: World): Promise<Ended> {
  const chunks: Buffer[] = [];
  for await (const chunk of world.streams().input as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk));
  const { gate } = gateProgram();
  const machine = { env: world.env, home: world.env['HOME'] ?? '/', gate, now: world.now().getTime() };
  return runGate(args, () => Buffer.concat(chunks).toString('utf8'), machine);
}
