import type { RequestHandler } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';
import { hasProxy, type HttpOptions } from './http-options.ts';

/**
 * Refuses requests that reached this machine by a name that is not its own: any name can be made to lead here (DNS
 * rebinding), and a page of another site could read data that only this machine may read. A trusted proxy asks for the
 * name that its own clients asked for.
 *
 * @throws origin_refused
 */
export function requireOwnHost({ allowHosts = [], ...options }: HttpOptions): RequestHandler {
  const allowed = new Set(allowHosts.map((it) => it.toLowerCase()));
  const isProxied = hasProxy(options);
  return (request, _response, next) => {
    const host = (request.headers.host ?? '').toLowerCase();
    const isForeign = !isOwnName(host) && !allowed.has(host) && !allowed.has(host.replace(/:\d+$/, ''));
    if (isForeign && !isProxied && isLoopback(request.socket.localAddress ?? '')) {
      throw new VadeError(
        'origin_refused',
        'the Host of this request is not a name of this machine; start the server with --allow-host <name> for a forwarded port',
      );
    }
    next();
  };
}

/** Refuses requests that a page of another site makes a browser send. @throws origin_refused */
export const requireOwnOrigin: RequestHandler = (request, _response, next) => {
  const { origin, host = '' } = request.headers;
  if (origin !== undefined && hostOf(origin) !== host) {
    throw new VadeError('origin_refused', 'this request comes from the page of another site');
  }
  next();
};

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

const isOwnName = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
