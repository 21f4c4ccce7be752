import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ErrorCode } from '../../compiler/schema/errors.ts';
import type { Identity } from '../auth/authenticate.ts';
import { addressOf } from '../auth/client-address.ts';
import type { TraceSpan } from './tracing.ts';

/** The context of one request; logs, metrics and traces use only this. */
export interface RequestContext {
  readonly id: string;
  /** Monotonic clock, in milliseconds. */
  readonly began: number;
  /** Null without tracing. */
  readonly span: TraceSpan | null;
  /** The path template, never the path itself: what a caller sends must not become a label. */
  route: string;
  identity: Identity | null;
  code: ErrorCode | null;
  thrown: unknown;
  /** The intent of a recall, if the operator logs intents. */
  intent: string | null;
}

/** The context of a finished request. */
export interface FinishedRequest extends RequestContext {
  readonly method: string;
  /** 499 if the caller disconnected before the answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** The client address; computed only for the log lines that include it. */
  readonly address: () => string;
}

const UNMATCHED = 'unmatched';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Limits untrusted input that goes into logs and back to the caller. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Keeps a well-formed `X-Request-Id`, so that the caller's log and ours can be joined. */
export function beginRequest(request: Request, response: Response, span: TraceSpan | null): RequestContext {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  const requestContext: RequestContext = {
    id,
    began: performance.now(),
    span,
    route: UNMATCHED,
    identity: null,
    code: null,
    thrown: null,
    intent: null,
  };
  response.locals['requestContext'] = requestContext;
  return requestContext;
}

export function requestContextOf(response: Response): RequestContext {
  return response.locals['requestContext'] as RequestContext;
}

/** Copies field by field: a spread gives each copy its own hidden class, which costs more than the rest. */
export function endRequest(requestContext: RequestContext, request: Request, response: Response): FinishedRequest {
  const { id, began, span, route, identity, code, thrown, intent } = requestContext;
  const method = METHODS.has(request.method) ? request.method : 'OTHER';
  const status = response.headersSent ? response.statusCode : 499;
  const milliseconds = performance.now() - began;
  const address = () => addressOf(request);
  return { id, began, span, route, identity, code, thrown, intent, method, status, milliseconds, address };
}
