import type { Server, ServerResponse } from 'node:http';
import { inFlight } from './in-flight.ts';

export interface ShutdownOptions {
  /** Resolves once load balancers have turned away; until then the server still accepts requests. */
  readonly drain: () => Promise<unknown>;
  /** How long requests in flight may take after that, in milliseconds. */
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
