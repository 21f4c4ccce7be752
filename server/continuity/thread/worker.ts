import { workerData } from 'node:worker_threads';
import type { ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import type { ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import { answerCalls, reportTrouble } from '../../../compiler/io/process/thread-answers.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { refuseSecrets } from '../capsules/secrets.ts';
import { applyVerb } from '../capsules/verbs.ts';
import { openArtefacts, type ArtefactStore } from '../coordination/store.ts';
import { openScheduleWriter, type ScheduleWriter } from '../schedule/schedule-writer.ts';
import { keepOpen } from '../state/kept-open.ts';
import { refusalOf } from '../state/refusal.ts';
import { openOwner } from '../store/owner-store.ts';
import { ownerPlaceOf } from '../store/place.ts';
import type { WriterCalls, WriterOptions, ScheduleReply } from './messages.ts';
import { createOwners } from './owners.ts';

/** The thread that writes all stores of a server: git, its pipes and the disk never delay a request that only reads. */
function openStores(): WriterCalls & { readonly end: () => Promise<void> } {
  const { root } = workerData as WriterOptions;
  const store = { root, apply: applyVerb, layout: CAPSULES, onTrouble: reportTrouble };
  const owners = createOwners((owner) => openOwner({ ...store, owner }));
  const schedules = createSchedules(root);
  const artefacts = keepOpen<ArtefactStore>();
  const end = async () => {
    artefacts.end();
    schedules.end();
    await owners.end();
  };
  return {
    mutate: async (owner, mutation) => {
      await refuseSecrets(mutation.request);
      return owners.use(owner, (it) => it.mutate(mutation));
    },
    coordinate: async (change) => {
      await refuseSecrets(change.request);
      return artefacts.use(
        root,
        () => openArtefacts(root),
        (it) => it.change(change),
      );
    },
    follow: (owner, damaged) => owners.use(owner, (it) => it.follow(damaged)),
    schedule: async (owner, command, occasion) => {
      await refuseSecrets(command?.request ?? null);
      return schedules.perform(owner, command, occasion);
    },
    health: () => Promise.resolve(owners.health()),
    end,
  };
}

/** The schedules of all owners. */
function createSchedules(root: string) {
  const writers = keepOpen<ScheduleWriter>();
  const perform = (owner: string, command: ScheduleCommand | null, occasion: ScheduleOccasion): ScheduleReply => {
    let wasMissing = false;
    const open = () => {
      const writer = openScheduleWriter(ownerPlaceOf(root, owner).schedule);
      wasMissing = writer.wasMissing;
      return writer;
    };
    return writers.use(owner, open, (it) => ({ change: command && it.change(command, occasion), wasMissing }));
  };
  return { perform, end: writers.end };
}

answerCalls(openStores, (error) => refusalOf(error, 'store', reportTrouble));
