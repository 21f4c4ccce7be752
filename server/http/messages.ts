import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

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
  class AppRequest extends IncomingMessage {}
  class AppResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
