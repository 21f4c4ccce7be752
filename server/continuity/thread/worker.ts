import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { refuseSecrets } from '../capsules/secrets.ts';
import { applyVerb } from '../capsules/verbs.ts';
import { openArtefacts, type ArtefactStore } from '../coordination/store.ts';
import { openOwner } from '../store/owner-store.ts';
import type { SentError, ThreadOptions, ThreadReply, ThreadRequest, ThreadValue } from './messages.ts';
import { createOwners } from './owners.ts';
import { createSchedules } from './schedule-writers.ts';

/** The thread that writes all stores of a server: git, its pipes and the disk never delay a request that only reads. */
function work(): void {
  const { root } = workerData as ThreadOptions;
  const reply = (message: ThreadReply) => parentPort?.postMessage(message);
  const onTrouble = (error: unknown) => reply({ trouble: messageOf(error) });
  const owners = createOwners((owner) => openOwner({ root, owner, apply: applyVerb, layout: CAPSULES, onTrouble }));
  const schedules = createSchedules(root);
  let artefacts: ArtefactStore | null = null;
  const end = async () => {
    artefacts?.end();
    schedules.end();
    await owners.end();
    return null;
  };
  const perform = async (request: ThreadRequest): Promise<ThreadValue> => {
    if (request.call === 'health') return owners.health();
    if (request.call === 'end') return end();
    if (request.call === 'schedule')
      return refuseSecrets(request.command?.request ?? null).then(() => schedules.perform(request));
    if (request.call === 'follow') return owners.use(request.owner, (it) => it.follow()).then(() => null);
    if (request.call === 'coordinate') {
      await refuseSecrets(request.change.request);
      artefacts ??= openArtefacts(root);
      return artefacts.change(request.change);
    }
    const { owner, mutation } = request;
    await refuseSecrets(mutation.request);
    return owners.use(owner, (it) => it.mutate(mutation));
  };
  const answer = async (request: ThreadRequest) => {
    const { id } = request;
    try {
      reply({ id, value: await perform(request) });
    } catch (error) {
      if (!(error instanceof VadeError) || error.code === 'internal') onTrouble(error);
      reply({ id, error: toSent(error) });
    }
    if (request.call === 'end') parentPort?.close();
  };
  parentPort?.on('message', (request: ThreadRequest) => void answer(request));
}

/** A store that cannot be opened says so to the log alone. */
function toSent(error: unknown): SentError {
  if (error instanceof VadeError) return { code: error.code, message: error.message, details: error.details };
  return { code: 'continuity_unavailable', message: 'the store cannot be opened now; retry', details: {} };
}

work();
