import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { UNEXPECTED, VadeError } from '../../compiler/schema/errors.ts';
import type { Authenticator, Identity } from '../auth/authenticate.ts';
import { denied, requireScraper } from '../auth/authorize.ts';
import { addressOf } from '../auth/client-address.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import { beginRequest, endRequest, requestContextOf, type FinishedRequest } from '../telemetry/request-context.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { assertReadable } from './connections.ts';
import { UNREADABLE } from './request.ts';
import { errorAnswer, send } from './responses.ts';
import { BODY_LIMIT, type Admit } from './routing.ts';
import { HEADERS } from './security-headers.ts';

/** Dependencies of admission. */
export interface AdmissionOptions {
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  /** Whether requests are refused because the bundle is stale. */
  readonly isStale: () => boolean;
  /** Whether metrics need no key. */
  readonly metricsOpen: boolean;
}

/** Begins and ends the context of every request, whatever its outcome. */
export function frame(rollout: Rollout, tracing: Tracing | null, observers: readonly Observer[]): RequestHandler {
  return (request, response, next) => {
    const { traceparent } = request.headers;
    const span = tracing?.begin(typeof traceparent === 'string' ? traceparent : undefined) ?? null;
    const requestContext = beginRequest(request, response, span);
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    response.setHeader('X-Request-Id', requestContext.id);
    const { revision, root } = rollout.current().gardens.bundle;
    response.setHeader('X-Bundle-Revision', revision);
    if (root.predicate.unversioned) response.setHeader('X-Bundle-Unversioned', 'true');
    response.once('close', () => {
      const ended = endRequest(requestContext, request, response);
      for (const observe of observers) observe(ended);
      span?.end({ ...ended, caller: ended.identity?.id ?? null });
    });
    assertReadable(request, response);
    next();
  };
}

export type Observer = (ended: FinishedRequest) => void;

/** Authenticates and rate-limits callers; the operation itself authorises them. */
export function admission(options: AdmissionOptions): Admit {
  const probe: RequestHandler = (_request, _response, next) => {
    next();
  };
  const anyone: RequestHandler = async (request, response, next) => {
    if (requestContextOf(response).identity === null) await options.limits.countAddress(addressOf(request), response);
    next();
  };
  const known: RequestHandler = async (request, response, next) => {
    if (options.isStale()) throw new VadeError('recall_backend_unavailable', 'the bundle is stale');
    const { holder } = await identify(options, request, response);
    if (holder.kind === 'reader') throw denied();
    next();
  };
  const scraper: RequestHandler = async (request, response, next) => {
    const { holder } = await identify(options, request, response);
    requireScraper(holder);
    next();
  };
  const handlers = { probe, anyone, scraper: options.metricsOpen ? anyone : scraper, agents: known, admins: known };
  return (access) => handlers[access];
}

async function identify(
  { authenticator, limits }: AdmissionOptions,
  request: Request,
  response: Response,
): Promise<Identity> {
  try {
    const identity = await authenticator.identify(request.headers.authorization);
    response.locals['identity'] = identity;
    requestContextOf(response).identity = identity;
    await limits.countCaller(identity, response);
    return identity;
  } catch (error) {
    const failed = error instanceof VadeError && error.code === 'unauthenticated';
    if (failed) await limits.countFailure(addressOf(request), response);
    throw error;
  }
}

/** Turns every error into the standard error body, and keeps the error in the request context for the log. */
export function answerError(): ErrorRequestHandler {
  // express recognises an error handler by its four parameters
  return (thrown: unknown, _request, response, _next) => {
    const error = toVadeError(thrown);
    const requestContext = requestContextOf(response);
    requestContext.code = error.code;
    requestContext.thrown = thrown;
    if (response.headersSent) response.destroy();
    else send(response, errorAnswer(error));
  };
}

/** The error that a caller is answered with. */
export function toVadeError(thrown: unknown): VadeError {
  if (thrown instanceof VadeError && thrown.entry.status !== undefined) return thrown;
  const status = (thrown as { status?: unknown } | null)?.status;
  if (status === 413) return new VadeError('payload_too_large', `a body is at most ${BODY_LIMIT}`);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new VadeError('request_invalid', UNREADABLE);
  }
  return new VadeError('internal', UNEXPECTED);
}
