import { workerData } from 'node:worker_threads';
import { answerCalls, reportTrouble } from '../../../compiler/io/process/thread-answers.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { refuseSecrets } from '../capsules/secrets.ts';
import { applyVerb } from '../capsules/verbs.ts';
import { openArtefacts, type ArtefactStore } from '../coordination/store.ts';
import { keepOpen } from '../state/kept-open.ts';
import { refusalOf } from '../state/refusal.ts';
import { openOwner } from '../store/owner-store.ts';
import type { WriterCalls, WriterOptions } from './messages.ts';
import { createOwners } from './owners.ts';
import { createSchedules } from './schedule-writers.ts';

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

answerCalls(openStores, (error) => refusalOf(error, 'store', reportTrouble));
