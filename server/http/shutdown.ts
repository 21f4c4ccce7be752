import type { Server, ServerResponse } from 'node:http';

export interface ShutdownOptions {
  /** How long the server still takes requests while it says that it ends, in milliseconds. */
  readonly drainMs: number;
  /** How long requests in flight may take after that, in milliseconds. */
  readonly graceMs: number;
}

/** How a server ends: balancers turn away first, then nobody is let in, then what was begun is finished. */
export interface GracefulShutdown {
  /** Whether it was asked to end. */
  readonly isEnding: () => boolean;
  /** Follows a server's requests from the first on, so that it can end well. */
  readonly watch: (server: Server) => void;
  /** Resolves once no connection is left. */
  readonly end: (server: Server) => Promise<void>;
}

export function openShutdown({ drainMs, graceMs }: ShutdownOptions): GracefulShutdown {
  const inFlight = new Set<ServerResponse>();
  let ended: Promise<void> | null = null;
  const watch = (server: Server) => {
    // before the application: its answers must say already that the connection closes
    server.prependListener('request', (_request, response: ServerResponse) => {
      inFlight.add(response);
      response.once('close', () => inFlight.delete(response));
      if (ended !== null) markLast(response);
    });
  };
  const end = async (server: Server) => {
    inFlight.forEach(markLast);
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    await close(server, graceMs);
  };
  return { isEnding: () => ended !== null, watch, end: (server) => (ended ??= end(server)) };
}

/** The last answer on its connection. */
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
