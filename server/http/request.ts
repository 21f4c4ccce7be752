import type { Request, Response } from 'express';
import type { Identity } from '../auth/authenticate.ts';
import { snapshotOf } from '../auth/authorize.ts';
import type { Call, Services } from '../operations/call.ts';
import type { Operation, PathNames } from '../operations/operation.ts';
import type { RawInput } from '../operations/perform.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { givenUp, giveUp } from './cancellation.ts';

/** A request as a call of an operation: who asks, for which agent, and from what it is answered, chosen once. */
export function callOf(
  { about }: Pick<Operation, 'about'>,
  { rollout, services }: { readonly rollout: Pick<Rollout, 'snapshotFor'>; readonly services: Services },
  request: Request,
  response: Response,
): Call {
  const identity = response.locals['identity'] as Identity;
  const path = pathOf(request);
  const agent = about ? about(path, identity) : (path['agent_id'] ?? '');
  const snapshot = snapshotOf(rollout, identity, agent);
  response.setHeader('X-Bundle-Revision', snapshot.gardens.bundle.revision);
  return {
    identity,
    agent,
    snapshot,
    services,
    span: requestContextOf(response).span,
    givenUp: () => givenUp(response),
    giveUp: () => {
      giveUp(response);
    },
  };
}

/** What came with a request; untrusted. */
export function rawOf(request: Request): RawInput {
  const { query, headers } = request;
  return { path: pathOf(request), query, headers, body: bodyOf(request) };
}

/** The body, as it was parsed or as it came; untrusted either way. */
export function bodyOf(request: Request): unknown {
  return (request as { body?: unknown }).body;
}

/** No template here names more than one part by a name. */
function pathOf(request: Request): PathNames {
  return request.params as PathNames;
}
