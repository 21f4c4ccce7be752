import type { Request, Response } from 'express';
import type { Identity } from '../auth/authenticate.ts';
import { snapshotOf } from '../auth/authorize.ts';
import type { Call, Services } from '../operations/call.ts';
import type { Operation, PathNames } from '../operations/operation.ts';
import type { RawInput } from '../operations/perform.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { cancellationOf, cancel } from './cancellation.ts';

/** A request as a call of an operation: its caller, agent and snapshot, chosen once. */
export function callOf(
  { about }: Pick<Operation, 'about'>,
  { rollout, services }: { readonly rollout: Pick<Rollout, 'snapshotFor'>; readonly services: Services },
  path: PathNames,
  response: Response,
): Call {
  const identity = identityOf(response);
  const agent = about ? about(path, identity) : (path['agent_id'] ?? '');
  const snapshot = snapshotOf(rollout, identity, agent);
  response.setHeader('X-Bundle-Revision', snapshot.gardens.bundle.revision);
  return {
    identity,
    agent,
    snapshot,
    services,
    span: requestContextOf(response).span,
    cancellation: () => cancellationOf(response),
    cancel: () => {
      cancel(response);
    },
  };
}

/** Who admission let in. */
export function identityOf(response: Response): Identity {
  return response.locals['identity'] as Identity;
}

/** The raw input of a request; untrusted. */
export function rawOf(request: Request): RawInput {
  const { query, headers } = request;
  return { path: pathOf(request), query, headers, body: bodyOf(request) };
}

/** The body, parsed or raw; untrusted either way. */
export function bodyOf(request: Request): unknown {
  return (request as { body?: unknown }).body;
}

/** No path template repeats a parameter, so each has one value. */
export function pathOf(request: Request): PathNames {
  return request.params as PathNames;
}
