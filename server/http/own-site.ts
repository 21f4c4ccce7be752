import type { RequestHandler } from 'express';
import { VadeError } from '../../compiler/schema/errors.ts';

/**
 * Refuses requests that a page of another site makes a browser send: its `Origin` has to be the host that was asked, and
 * a connection to this machine has to ask for it by a name of its own, since any name can be made to lead here (DNS
 * rebinding). A trusted proxy asks for the name that its own clients asked for.
 *
 * @throws origin_refused
 */
export function requireOwnSite(hasProxy: boolean): RequestHandler {
  return (request, _response, next) => {
    const { origin, host = '' } = request.headers;
    const isStrange = isLoopback(request.socket.localAddress ?? '') && !hasProxy && !isOwnName(host);
    if (isStrange || (origin !== undefined && hostOf(origin) !== host)) {
      throw new VadeError(
        'origin_refused',
        'this request comes from the page of another site, or asks for another host',
      );
    }
    next();
  };
}

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

const isOwnName = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
