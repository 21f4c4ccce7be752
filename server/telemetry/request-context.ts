import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ErrorCode } from '../../compiler/schema/errors.ts';
import type { Identity } from '../auth/authenticate.ts';
import { addressOf } from '../auth/client-address.ts';
import type { TraceSpan } from './tracing.ts';

/** What is known of one request while it is answered; logs, metrics and traces are made of this, and of nothing else. */
export interface RequestContext {
  readonly id: string;
  /** Of the process's clock that never steps, in milliseconds. */
  readonly began: number;
  /** Null where no traces are kept. */
  readonly span: TraceSpan | null;
  /** The path's template, never the path itself: what a caller sends must not become a label. */
  route: string;
  identity: Identity | null;
  code: ErrorCode | null;
  thrown: unknown;
  /** What a recall was asked with, where the operator wants it in the log. */
  intent: string | null;
}

/** An exchange that came to its end. */
export interface Ended extends RequestContext {
  readonly method: string;
  /** 499 where the caller went away before the answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** Where it came from; asked by the few lines that tell it. */
  readonly address: () => string;
}

const UNMATCHED = 'unmatched';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Untrusted input that goes into logs and back to the caller. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** A well-formed `X-Request-Id` is kept, so that a caller's trail and ours are one. */
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
  response.locals['exchange'] = requestContext;
  return requestContext;
}

export function requestContextOf(response: Response): RequestContext {
  return response.locals['exchange'] as RequestContext;
}

/** Every field by its name: a copy by spreading gets a shape of its own each time, which costs more than the rest. */
export function endRequest(requestContext: RequestContext, request: Request, response: Response): Ended {
  const { id, began, span, route, identity, code, thrown, intent } = requestContext;
  const method = METHODS.has(request.method) ? request.method : 'OTHER';
  const status = response.headersSent ? response.statusCode : 499;
  const milliseconds = performance.now() - began;
  const address = () => addressOf(request);
  return { id, began, span, route, identity, code, thrown, intent, method, status, milliseconds, address };
}
