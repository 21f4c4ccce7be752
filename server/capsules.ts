import type { Logger } from 'pino';
import type { Continuity, ContinuityOptions } from './continuity/continuity.ts';

/** The only way to the store of capsules, and so to git: without the flag none is loaded. @throws output_failed */
export async function openCapsules(continuity: ContinuityOptions | undefined, log: Logger): Promise<Continuity | null> {
  if (continuity === undefined) return null;
  const { openContinuity } = await import('./continuity/open.ts');
  return openContinuity(continuity, log);
}
