import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  IncomingMessage,
  type Server,
  ServerResponse,
  type RequestListener,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import { errorAnswer } from './responses.ts';
import { HEADERS } from './security-headers.ts';

/** Limits of a connection, in milliseconds, bytes and counts. */
export interface ConnectionLimits {
  readonly headersMs: number;
  /** For a whole request, including its body. */
  readonly requestMs: number;
  /** Between two requests; longer than a load balancer's idle timeout: it never sends into a closing connection. */
  readonly idleMs: number;
  /** A client that reads less than 1 KiB/s for this long is disconnected. */
  readonly answerMs: number;
  readonly headerBytes: number;
  readonly connections: number;
  /** Interval of the checks. */
  readonly checkMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  answerMs: 30_000,
  headerBytes: 16_384,
  connections: 4096,
  checkMs: 1000,
};

/** More header lines are refused; Node would silently drop the rest. */
const MAX_HEADERS = 100;

/** Headers of the answer to malformed HTTP, in addition to those of every answer. */
export type RawHeaders = () => Readonly<Record<string, string>>;

/** An HTTP server with limited connections: slow senders and slow readers are disconnected. */
export function limitConnections(app: Express, headers: RawHeaders, limits = CONNECTION_LIMITS): Server {
  const answer = gatherRequests(app);
  const server = createServer(
    {
      connectionsCheckingInterval: limits.checkMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      maxHeaderSize: limits.headerBytes,
      // checked in assertReadable, so that a missing Host gets the standard error body
      requireHostHeader: false,
      ...messagesFor(app),
    },
    answer,
  );
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.maxConnections = limits.connections;
  // an unknown expectation may be ignored (RFC 9110 §10.1.1)
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseRaw(error, socket, headers());
  });
  cutSlowReaders(server, limits);
  return server;
}

/** Node's own marker of a response that has begun. */
type AnsweringSocket = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Malformed HTTP gets the standard error body too, unless a response has already begun. */
function refuseRaw(
  error: NodeJS.ErrnoException,
  socket: AnsweringSocket,
  more: Readonly<Record<string, string>>,
): void {
  const begun = socket._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const answer = errorAnswer(new VadeError('request_invalid', slow ? 'the request took too long' : 'malformed HTTP'));
  const body = String(answer.body);
  const common = { ...Object.fromEntries(HEADERS), 'X-Request-Id': randomUUID(), ...more };
  const headers = { ...common, ...answer.headers, Connection: 'close' };
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () => {
    socket.destroy();
  });
}

/** Bytes per second. */
const SLOWEST = 1024;

/** The state of a connection when it last had nothing to send, or sent fast enough. */
interface Mark {
  readonly at: number;
  readonly sent: number;
}

/** Checks connections at intervals rather than each response: requests pay nothing for it. */
function cutSlowReaders(server: Server, { answerMs, checkMs }: ConnectionLimits): void {
  const marks = new Map<Socket, Mark>();
  server.on('connection', (socket) => {
    marks.set(socket, { at: performance.now(), sent: 0 });
    socket.once('close', () => marks.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, mark] of marks) {
      const sent = socket.bytesWritten - socket.writableLength;
      const waits = socket.writableLength > 0;
      const fast = sent - mark.sent > (SLOWEST * answerMs) / 1000;
      if (!waits || fast) marks.set(socket, { at: now, sent });
      else if (now - mark.at > answerMs) socket.destroy();
    }
  }, checkMs).unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}

/**
 * Refuses requests that servers and proxies may interpret differently, and closes their connection.
 *
 * @throws request_invalid
 */
export function assertReadable(request: IncomingMessage, response: ServerResponse): void {
  const problem = problemOf(request);
  if (problem === null) return;
  response.setHeader('Connection', 'close');
  throw new VadeError('request_invalid', problem);
}

function problemOf({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  if (rawHeaders.length > 2 * MAX_HEADERS) return `more than ${MAX_HEADERS} headers`;
  if (headers.host === undefined && httpVersion === '1.1') return 'Host is missing';
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  return hosts > 1 || authorizations > 1 ? 'send Host and Authorization at most once' : null;
}

/** The request and response classes that Node instantiates. */
interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates requests and responses with Express's prototypes from the start. Express otherwise replaces the prototype of
 * each one; V8 then loses its hidden class and every property access is slow, which takes as long as half a recall.
 * Express leaves an object alone that already has the prototype.
 *
 * @param app its request and response prototypes are replaced
 */
export function messagesFor(app: Express): Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Req extends IncomingMessage = IncomingMessage> extends ServerResponse<Req> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Hands over the requests of one turn of the event loop together, once all of them were read. Their steps then take
 * turns: each step runs for all requests before the next one begins, and finds its code in the processor's caches. One
 * request after the other, from its first byte to its answer, takes a quarter more processor time.
 */
export function gatherRequests(answer: RequestListener): RequestListener {
  let waiting: Parameters<RequestListener>[] = [];
  const handOver = () => {
    const gathered = waiting;
    waiting = [];
    for (const [request, response] of gathered) answer(request, response);
  };
  return (request, response) => {
    // the turn ends before any of these connections can be closed
    if (waiting.length === 0) setImmediate(handOver);
    waiting.push([request, response]);
  };
}
