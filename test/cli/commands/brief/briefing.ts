import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from '../../../support/cli.ts';
import { unitFile } from '../../../support/repository.ts';
import { workplace, type Workplace } from '../../workplace.ts';

export const CTO = 'instructions/agents/cto';
export const PHRASES = 'instructions/phrases/cto.yaml';
export const PROBES = 'instructions/probes/cto.yaml';

/** A brief as `vade brief` prints it. */
export interface Printed {
  readonly brief: string;
  readonly part: number;
  readonly parts: number;
  readonly units: readonly string[];
  readonly left_out: readonly { readonly unit: string; readonly reason: string }[];
  readonly markdown: string;
}

/** The smallest deployment, with two units that take each other's questions. */
export function briefing(change: Parameters<typeof workplace>[0] = () => undefined): Workplace {
  return workplace((repo) => {
    repo
      .write(`${CTO}/refunds.md`, unitFile('Decide on a refund', ['the customer wants their money back']))
      .write(`${CTO}/kettle.md`, unitFile('How the kettle is kept', ['the kettle has lime in it']));
    change(repo);
  });
}

export async function printed(place: Workplace, kind: string, ...args: string[]): Promise<Printed> {
  const ran = await place.run(['brief', kind, '--agent', 'cto', ...args]);
  if (ran.code !== 0) throw new Error(ran.stdout);
  return ran.envelope().data as unknown as Printed;
}

/** Writes an answer and takes it. */
export function take(place: Workplace, answer: unknown, ...args: string[]): Promise<Ran> {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  writeFileSync(join(place.cwd, 'answer.json'), text);
  return place.run(['brief', 'take', 'answer.json', ...args]);
}

/** The text of a file; null if there is none. */
export function fileIn({ cwd }: Workplace, path: string): string | null {
  return existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), 'utf8') : null;
}

/** Faults of a failed run, each with its rule and its message, which names the place in the answer. */
export function faultsOf(ran: Ran): readonly (readonly [rule: string, message: string])[] {
  const { faults = [] } = ran.envelope().error.context as { faults?: { rule: string; message: string }[] };
  return faults.map(({ rule, message }) => [rule, message] as const);
}

/** Changes in a workplace, without the answer and the keys that every one has. */
export function statusOf({ repo }: Workplace): string {
  const status = repo.git('status', '--porcelain', '--untracked-files=all');
  return status.replace(/^\?\? (answer|root|signing)\.(json|pem)\n/gm, '');
}
