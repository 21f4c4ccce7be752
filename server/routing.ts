import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { VadeError } from '../compiler/model/errors.ts';
import { send, type Answer } from './answers.ts';
import { exchangeOf } from './exchange.ts';
import { giveUp } from './givenup.ts';
import { OPERATION_LIMIT_MS, type Access, type Operation } from './operation.ts';

/** §21.8: a body larger than this is refused before it is parsed. */
export const BODY_LIMIT = '64kb';

/** What an operation does with a request: it answers, and never writes. */
export type Handler = (request: Request, response: Response) => Answer | Promise<Answer>;

/** An operation with what does it. */
export interface Route extends Operation {
  readonly handle: Handler;
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
    for (const route of offered) at[route.method](...handlersOf(route));
    at.all(notAllowed(offered));
  }
}

/** From here on logs, metrics and traces call the request by its path's template. */
function named(path: string): RequestHandler {
  return (_request, response, next) => {
    exchangeOf(response).route = path;
    next();
  };
}

function handlersOf(route: Route): RequestHandler[] {
  const { before, body, reads, limit = OPERATION_LIMIT_MS, handle } = route;
  const answer = async (request: Request, response: Response) => {
    const answered = handle(request, response);
    const stop = () => {
      giveUp(response);
    };
    send(
      response,
      answered instanceof Promise && limit !== null ? await within(answered, limit, stop) : await answered,
    );
  };
  const first = (request: Request, response: Response, next: NextFunction) => {
    before?.(request, response);
    next();
  };
  const parse = reads === 'raw' ? express.raw({ limit: BODY_LIMIT, type: 'application/json' }) : jsonBody;
  return [...(before ? [first] : []), ...(body === undefined ? [] : [parse]), answer];
}

const jsonBody = express.json({ limit: BODY_LIMIT });

/**
 * What takes longer is given up: the caller hears so in time to try again, and the work is told to stop.
 *
 * @throws recall_backend_unavailable
 */
function within<T>(work: Promise<T>, milliseconds: number, stop: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new VadeError('recall_backend_unavailable', 'this took too long and was given up'));
    }, milliseconds);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

function notAllowed(offered: readonly Route[]): RequestHandler {
  const allow = allowOf(offered);
  return (request, response) => {
    response.setHeader('Allow', allow);
    throw new VadeError('method_not_allowed', `${request.method} is not allowed here`);
  };
}

/** What `Allow` says of a path. */
export function allowOf(offered: readonly Route[]): string {
  const methods = offered.filter((it) => it.disabled !== true).map((it) => it.method);
  return methods.map((it) => (it === 'get' ? 'GET, HEAD' : it.toUpperCase())).join(', ');
}
