import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The request and response classes that Node instantiates. */
export interface Messages {
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
