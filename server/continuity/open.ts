import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { ScheduleSettings } from '../../compiler/continuity/schema/schedule/settings.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { repetitions } from '../log.ts';
import type { Continuity, ContinuityOptions } from './continuity.ts';
import type { Coordination } from './coordination/coordination.ts';
import { readerOfArtefacts } from './coordination/store.ts';
import { createReading } from './reading.ts';
import { openSchedules } from './schedules.ts';
import { refusalOf } from './state/refusal.ts';
import { startWriter, type WriterThread } from './thread/start-writer.ts';

/**
 * Opens the capsules below a folder, and makes the folder if it is not there. Writing is one thread's; reading is this
 * thread's, since it takes less than the way to another.
 *
 * @throws output_failed
 */
export function openContinuity({ root, archiveDays, schedule }: ContinuityOptions, log: Logger): Continuity {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new VadeError('output_failed', `${root} cannot be created: ${messageOf(error)}`);
  }
  const countRepeated = repetitions();
  const onTrouble = (error: unknown) => {
    const reason = messageOf(error);
    const times = countRepeated(reason);
    if (times !== null) log.error({ reason, times }, 'a store of capsules failed');
  };
  const thread = restarting(() => startWriter({ root }, onTrouble));
  const schedules = openSchedules({ root, settings: schedule ?? ScheduleSettings.parse({}), thread, onTrouble });
  const artefacts = readerOfArtefacts(root);
  const reading = createReading(root, thread);
  return {
    archiveDays,
    mutate: (owner, mutation) => thread().mutate(owner, mutation),
    held: (owner, subject) => reading.current(owner, (it) => it.held(subject)),
    heldOf: reading.heldOf,
    list: (owner, withFallbacks) => reading.current(owner, (it) => it.list(withFallbacks)),
    coordination: {
      change: (change) => thread().coordinate(change),
      find: (id, version) => confirmed(() => artefacts.find(id, version), onTrouble),
      list: (filter) => confirmed(() => artefacts.list(filter), onTrouble),
    } satisfies Coordination,
    links: (owner, most) => reading.current(owner, (it) => it.links(most)),
    schedule: schedules,
    health: () => thread().health(),
    end: async () => {
      artefacts.end();
      reading.end();
      schedules.end();
      await thread().end();
    },
  };
}

/** Reports artefacts that cannot be read, never as missing. @throws continuity_unavailable, continuity_unusable */
function confirmed<T>(read: () => T, onTrouble: (error: unknown) => void): T {
  try {
    return read();
  } catch (error) {
    throw refusalOf(error, 'file of artefacts', onTrouble);
  }
}

/** A thread that is started again after it has ended by itself. */
function restarting(start: () => WriterThread): () => WriterThread {
  let thread = start();
  return () => {
    if (thread.hasEnded()) thread = start();
    return thread;
  };
}
