import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** What Express makes the prototype of every request and of every answer. */
interface Prototypes {
  request: object;
  response: object;
}

/** How Node is to make requests and answers. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Makes requests and answers that are from their beginning what Express would make of them. It gives each another
 * prototype than Node did; after that V8 does not know any more what they look like, and every access to them is looked
 * up anew, which takes as long as half a recall. One that has the prototype already is left as it is.
 *
 * @param app learns which prototypes these are
 */
export function messagesFor(app: Express): Messages {
  const prototypes = app as unknown as Prototypes;
  class AppRequest extends IncomingMessage {}
  class AppResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {}
  prototypes.request = Object.setPrototypeOf(AppRequest.prototype, prototypes.request) as object;
  prototypes.response = Object.setPrototypeOf(AppResponse.prototype, prototypes.response) as object;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
