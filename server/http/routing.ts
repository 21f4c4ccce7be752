import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Access, Contract } from '../operations/operation.ts';
import type { Result } from '../operations/result.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { send, toAnswer } from './responses.ts';

/** §21.8: a body larger than this is refused before it is parsed. */
export const BODY_LIMIT = '64kb';

/** An operation as HTTP asks for it. */
export interface Route extends Contract {
  readonly answer: (request: Request, response: Response) => Result | Promise<Result>;
  /** Asked before any of the body is read. */
  readonly before?: (request: Request, response: Response) => void;
  /** Whether `Allow` leaves it out, for it only says why it is not there. */
  readonly disabled?: boolean;
}

/** Lets a caller in, or throws. */
export type Admit = (access: Access) => RequestHandler;

/** All operations, by path; every method that a path has not is answered by 405 with `Allow`. */
export function mount(app: Express, routes: readonly Route[], admit: Admit): void {
  for (const path of new Set(routes.map((it) => it.path))) {
    const offered = routes.filter((it) => it.path === path);
    const at = app.route(path.replace(/\{(\w+)\}/g, ':$1'));
    at.all(named(path), admit(offered[0]?.access ?? 'agents'));
    for (const route of offered) at[route.method](...handlersOf(route, allowOf(offered)));
    at.all(notAllowed(allowOf(offered)));
  }
}

/** From here on logs, metrics and traces call the request by its path's template. */
function named(path: string): RequestHandler {
  return (_request, response, next) => {
    requestContextOf(response).route = path;
    next();
  };
}

function handlersOf(route: Route, allow: string): RequestHandler[] {
  const { before, body, reads } = route;
  const answer = async (request: Request, response: Response) => {
    send(response, toAnswer(await route.answer(request, response), request));
  };
  const first = (request: Request, response: Response, next: NextFunction) => {
    if (route.disabled) response.setHeader('Allow', allow);
    before?.(request, response);
    next();
  };
  const parse = reads === 'raw' ? express.raw({ limit: BODY_LIMIT, type: 'application/json' }) : jsonBody;
  return [...(before ? [first] : []), ...(body === undefined ? [] : [parse]), answer];
}

const jsonBody = express.json({ limit: BODY_LIMIT });

function notAllowed(allow: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allow);
    throw new VadeError('method_not_allowed', `${request.method} is not allowed here`);
  };
}

/** What `Allow` says of a path. */
export function allowOf(offered: readonly Pick<Route, 'method' | 'disabled'>[]): string {
  const methods = offered.filter((it) => it.disabled !== true).map((it) => it.method);
  return methods.map((it) => (it === 'get' ? 'GET, HEAD' : it.toUpperCase())).join(', ');
}
