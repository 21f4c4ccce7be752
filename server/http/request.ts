import type { IncomingHttpHeaders } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Identity } from '../auth/authenticate.ts';
import { snapshotOf } from '../auth/authorize.ts';
import type { Call, PrintBrief, Services } from '../operations/call.ts';
import type { Host, Operation, PathNames } from '../operations/operation.ts';
import type { RawInput } from '../operations/perform.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { cancellationOf, cancel } from './cancellation.ts';

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

/** No path template repeats a parameter, so each has one value. */
export function pathOf(request: Request): PathNames {
  return request.params as PathNames;
}

/** The message for a request that is refused before an operation sees it. */
export const UNREADABLE = 'the request cannot be read: malformed JSON, encoding or path';

/** Up to 9,999 bytes, and at least one. */
const SHORT = /^[1-9]\d{0,3}$/;

/**
 * Reads JSON bodies as Express does. A short one of a stated length, not compressed and without a charset, is most of
 * them: it is read here, because the general reader takes as long as the ranking of a garden.
 *
 * @param limit of all bodies
 */
export function jsonBody(limit: string): RequestHandler {
  const readAny: RequestHandler = express.json({ limit });
  return (request, response, next) => {
    if (isPlain(request.headers)) readPlain(request, next);
    else readAny(request, response, next);
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
  const refuse = () => {
    next(new VadeError('request_invalid', UNREADABLE));
  };
  request.on('data', (bytes: Buffer) => received.push(bytes));
  request.once('error', refuse);
  request.once('end', () => {
    const [first = Buffer.of()] = received;
    const body = parsed(received.length === 1 ? first : Buffer.concat(received));
    if (body === null) {
      refuse();
      return;
    }
    request.body = body;
    next();
  });
}

/** An object or a list; null for any other text. */
function parsed(bytes: Buffer): object | null {
  const text = bytes.toString('utf8');
  try {
    // a byte order mark does not belong to a text
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Notes the intent of a recall, for operators who log intents. Untrusted input. */
export function noteIntent({ trace }: Pick<Operation, 'trace'>, body: unknown, response: Response): void {
  const intent = trace === 'recall' ? (body as { intent?: unknown } | null | undefined)?.intent : null;
  requestContextOf(response).intent = typeof intent === 'string' ? intent : null;
}
