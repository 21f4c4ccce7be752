import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Access, Contract } from '../operations/operation.ts';
import type { Result } from '../operations/result.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { jsonBody } from './request.ts';
import { send, toAnswer } from './responses.ts';

/** §21.8: a larger body is refused before it is parsed. */
export const BODY_LIMIT = '64kb';

/** An operation as an HTTP route. */
export interface Route extends Contract {
  readonly answer: (request: Request, response: Response) => Result | Promise<Result>;
  /** Runs before the body is read. */
  readonly before?: (request: Request, response: Response) => void;
  /** Notes a request that is refused before it is answered: by admission, or for a body that cannot be read. */
  readonly onRefusal?: (request: Request, response: Response, error: unknown) => Promise<void>;
  /** Whether `Allow` omits it, because it only answers why it is disabled. */
  readonly disabled?: boolean;
}

/** Lets a caller in, or throws. */
export type Admit = (access: Access) => RequestHandler;

/** Mounts all operations by path; an unsupported method gets 405 with `Allow`. */
export function mount(app: Express, routes: readonly Route[], admit: Admit): void {
  for (const path of new Set(routes.map((it) => it.path))) {
    const siblings = routes.filter((it) => it.path === path);
    const at = app.route(patternOf(path));
    at.all(named(path), admit(siblings[0]?.access ?? 'agents'));
    for (const route of siblings) at[route.method](...handlersOf(route, allowOf(siblings)));
    at.all(notAllowed(allowOf(siblings)));
  }
}

/** A URI or a path at the end of a path has slashes, which a proxy may have decoded: it is the rest of the path. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+_(?:uri|path))\}$/, '*$1').replace(/\{(\w+)\}/g, ':$1');
}

/** Leads readers of a path to another one. */
export function mountRedirect(app: Express, admit: Admit, from: string, to: string): void {
  const lead: RequestHandler = (_request, response) => {
    response.redirect(to);
  };
  const allow = allowOf([{ method: 'get' }]);
  app.route(from).all(named(from), admit('anyone')).get(lead).all(notAllowed(allow));
}

/** Sets the path template as the route name in logs, metrics and traces. */
export function named(path: string): RequestHandler {
  return (_request, response, next) => {
    requestContextOf(response).route = path;
    next();
  };
}

function handlersOf(route: Route, allow: string): RequestHandler[] {
  const { before, body, reads, onRefusal } = route;
  const answer = async (request: Request, response: Response) => {
    send(response, toAnswer(await route.answer(request, response), request));
  };
  const first = (request: Request, response: Response, next: NextFunction) => {
    if (route.disabled) response.setHeader('Allow', allow);
    before?.(request, response);
    next();
  };
  const parse = reads === 'raw' ? express.raw({ limit: BODY_LIMIT, type: 'application/json' }) : readJson;
  const read = [...(before ? [first] : []), ...(body === undefined ? [] : [parse])];
  // an error handler sees errors of the handlers before it, and none of the answer
  return [...read, ...(onRefusal ? [noting(onRefusal)] : []), answer] as RequestHandler[];
}

function noting(onRefusal: NonNullable<Route['onRefusal']>): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    await onRefusal(request, response, error);
    throw error;
  };
}

const readJson = jsonBody(BODY_LIMIT);

/** Refuses a method that a path does not have. @throws method_not_allowed */
export function notAllowed(allow: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allow);
    throw new VadeError('method_not_allowed', `${request.method} is not allowed here`);
  };
}

/** The `Allow` header of a path. */
export function allowOf(siblings: readonly Pick<Route, 'method' | 'disabled'>[]): string {
  const methods = siblings.filter((it) => it.disabled !== true).map((it) => it.method);
  return methods.map((it) => (it === 'get' ? 'GET, HEAD' : it.toUpperCase())).join(', ');
}
