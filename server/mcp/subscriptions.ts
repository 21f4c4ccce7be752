import { isJSONRPCRequest, ProtocolErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/server';

/** Nothing that is served changes under a client's feet, so no list announces its changes. */
export const UNANNOUNCED = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
} as const;

/**
 * What refuses a request for a subscription, as a server without any has to: the method is not found. The library itself
 * would call it a full server, and a client would come again. Undefined for every other message.
 */
export function refusedSubscription(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return undefined;
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
  return { jsonrpc: '2.0', id: message.id, error };
}
