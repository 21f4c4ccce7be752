import type { IncomingHttpHeaders } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import { parseJson } from '../../compiler/schema/exact-json.ts';
import type { Identity } from '../auth/authenticate.ts';
import { snapshotOf } from '../auth/authorize.ts';
import type { Call, PrintBrief, Services } from '../operations/call.ts';
import type { Host, Operation, PathNames } from '../operations/operation.ts';
import type { RawInput } from '../operations/perform.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import { requestContextOf } from '../telemetry/request-context.ts';

/** Dependencies that HTTP provides to every operation. */
export interface HttpContext {
  readonly rollout: Rollout;
  readonly services: Services;
  readonly host: Host;
  readonly logIntents: boolean;
  /** Null where there is no working tree to brief from. */
  readonly briefs: PrintBrief | null;
}

/** A request as a call of an operation: its caller, agent and snapshot, chosen once. */
export function callOf(
  { about }: Pick<Operation, 'about'>,
  { rollout, services }: Pick<HttpContext, 'rollout' | 'services'>,
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

/** The identity that admission let in. */
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

/** No path template repeats a parameter, so each has one value; the rest of a path comes in segments. */
export function pathOf({ params }: Request): PathNames {
  return Object.fromEntries(Object.entries(params).map(([name, it]) => [name, [it].flat().join('/')]));
}

/** The message for a request that is refused before an operation sees it. */
export const UNREADABLE = 'the request cannot be read: malformed JSON, encoding or path';

/** Up to 9,999 bytes, and at least one. */
const SHORT = /^[1-9]\d{0,3}$/;

/**
 * Reads JSON bodies. A short one of a stated length, not compressed and without a charset, is most of them: its bytes
 * are read here, because the general reader takes as long as the ranking of a garden.
 *
 * @param limit of all bodies
 */
export function jsonBody(limit: string): RequestHandler {
  const readAny: RequestHandler = express.raw({ limit, type: 'application/json' });
  return (request, response, next) => {
    const parse: NextFunction = (error?: unknown) => {
      if (error === undefined) parseBody(request, next);
      else next(error);
    };
    if (isPlain(request.headers)) readPlain(request, parse);
    else readAny(request, response, parse);
  };
}

function isPlain(headers: IncomingHttpHeaders): boolean {
  return (
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    SHORT.test(headers['content-length'] ?? '')
  );
}

function readPlain(request: Request, next: NextFunction): void {
  const received: Buffer[] = [];
  request.on('data', (bytes: Buffer) => received.push(bytes));
  request.once('error', () => {
    next(unreadable());
  });
  request.once('end', () => {
    const [first = Buffer.of()] = received;
    request.body = received.length === 1 ? first : Buffer.concat(received);
    next();
  });
}

/** Any other charset than that of JSON is refused, also where the bytes would be the same. */
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8"?\s*(?:;|$))/i;

/** The value in place of the bytes; an absent body stays absent. */
function parseBody(request: Request, next: NextFunction): void {
  try {
    const bytes = bodyOf(request);
    if (Buffer.isBuffer(bytes)) request.body = parsed(bytes, request.headers['content-type'] ?? '');
  } catch (error) {
    next(error);
    return;
  }
  next();
}

/** An object or a list; of no bytes, an empty object. @throws request_invalid */
function parsed(bytes: Buffer, type: string): object {
  if (OTHER_CHARSET.test(type)) throw unreadable();
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value;
}

function unreadable(): VadeError {
  return new VadeError('request_invalid', UNREADABLE);
}

/** Notes the intent of a recall, for operators who log intents. Untrusted input. */
export function noteIntent({ trace }: Pick<Operation, 'trace'>, body: unknown, response: Response): void {
  const intent = trace === 'recall' ? (body as { intent?: unknown } | null | undefined)?.intent : null;
  requestContextOf(response).intent = typeof intent === 'string' ? intent : null;
}

/**
 * Aborted once the caller no longer waits: it disconnected, or the operation timed out. Created only if an operation
 * asks for it.
 */
function cancellationOf(response: Response): AbortSignal {
  const known = response.locals['cancellation'] as AbortController | undefined;
  if (known) return known.signal;
  const controller = new AbortController();
  response.locals['cancellation'] = controller;
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Stops the work still running for a response. */
function cancel(response: Response): void {
  (response.locals['cancellation'] as AbortController | undefined)?.abort();
}
