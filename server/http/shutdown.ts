import type { Server, ServerResponse } from 'node:http';

export interface ShutdownOptions {
  /** Resolves once load balancers have turned away; until then the server still accepts requests. */
  readonly drain: () => Promise<unknown>;
  /** Maximum time of requests in flight after that, in milliseconds. */
  readonly graceMs: number;
}

/** Graceful shutdown: load balancers turn away first, then connections are refused, then open requests finish. */
export interface GracefulShutdown {
  /** Whether shutdown has begun. */
  readonly isEnding: () => boolean;
  /** Tracks a server's requests; call it before the first one. */
  readonly watch: (server: Server) => void;
  /** Resolves once no connection is left. */
  readonly end: (server: Server) => Promise<void>;
}

export function createShutdown({ drain, graceMs }: ShutdownOptions): GracefulShutdown {
  const answers = inFlight<ServerResponse>();
  let ended: Promise<void> | null = null;
  const watch = (server: Server) => {
    // before the application, so that its answers carry `Connection: close`
    server.prependListener('request', (_request, response: ServerResponse) => {
      const place = answers.enter(response);
      response.once('close', () => {
        answers.leave(place);
      });
      if (ended !== null) markLast(response);
    });
  };
  const end = async (server: Server) => {
    answers.each(markLast);
    await drain();
    await close(server, graceMs);
  };
  return { isEnding: () => ended !== null, watch, end: (server) => (ended ??= end(server)) };
}

/** Closes the connection after this response. */
function markLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Items in flight, each in a place that is taken again once it is free. */
interface InFlight<T> {
  /** @returns its place */
  readonly enter: (it: T) => number;
  readonly leave: (place: number) => void;
  readonly each: (visit: (it: T) => void) => void;
}

/**
 * Not a `Set`: that moves into a new table after every few requests, and V8 links the old table to the new one. Once
 * one old table has outlived two collections, it keeps alive all that follow and every request in them, until the next
 * collection of the whole heap; collecting new objects then takes nine times as long.
 */
export function inFlight<T>(): InFlight<T> {
  const places: (T | null)[] = [];
  const free: number[] = [];
  return {
    enter: (it) => {
      const place = free.pop() ?? places.length;
      places[place] = it;
      return place;
    },
    leave: (place) => {
      places[place] = null;
      free.push(place);
    },
    each: (visit) => {
      for (const it of places) if (it !== null) visit(it);
    },
  };
}
