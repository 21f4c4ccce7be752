import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { refuseSecrets } from '../capsules/secrets.ts';
import { applyVerb } from '../capsules/verbs.ts';
import { openOwner } from '../store/owner-store.ts';
import type { SentError, ThreadOptions, ThreadReply, ThreadRequest } from './messages.ts';
import { createOwners } from './owners.ts';

/** The thread that writes all stores of a server: git and its pipes never delay a request that only reads. */
function work(): void {
  const { root } = workerData as ThreadOptions;
  const reply = (message: ThreadReply) => parentPort?.postMessage(message);
  const onTrouble = (error: unknown) => reply({ trouble: messageOf(error) });
  const owners = createOwners((owner) => openOwner({ root, owner, apply: applyVerb, layout: CAPSULES, onTrouble }));
  const perform = async (request: ThreadRequest) => {
    if (request.call === 'end') return owners.end().then(() => null);
    if (request.call === 'follow') return owners.use(request.owner, (it) => it.follow()).then(() => null);
    const { owner, mutation } = request;
    await refuseSecrets(mutation.request);
    return owners.use(owner, (it) => it.mutate(mutation));
  };
  const answer = async (request: ThreadRequest) => {
    const { id } = request;
    try {
      reply({ id, value: await perform(request) });
    } catch (error) {
      if (!(error instanceof VadeError)) onTrouble(error);
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
