import type { Readable, Writable } from 'node:stream';
import { isJSONRPCErrorResponse, isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import { isJSONRPCResultResponse, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

/** Requests of a host that are answered at the same time; a host that asks in turn has one. */
const MOST_UNANSWERED = 64;

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Reads no further while too many requests wait for their answer, or the host does not read its answers: otherwise both
 * would pile up in memory without a bound.
 */
export function boundUnanswered(transport: Transport, { input, output }: Streams): void {
  const unanswered = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  let isHeld = false;
  const adjust = () => {
    const isFull = unanswered.size >= MOST_UNANSWERED || output.writableNeedDrain;
    if (isFull === isHeld) return;
    isHeld = isFull;
    if (isFull) input.pause();
    else input.resume();
  };
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) unanswered.add(message.id);
    // the library answers no request that was cancelled
    else unanswered.delete(cancelledBy(message));
    adjust();
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    unanswered.delete(answeredBy(message));
    const sent = send(message, options);
    adjust();
    // resolves once the host has read enough
    await sent;
    adjust();
  };
}

function cancelledBy(message: JSONRPCMessage): unknown {
  const isCancelling = isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
  return isCancelling ? message.params?.['requestId'] : undefined;
}

function answeredBy(message: JSONRPCMessage): unknown {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined;
}
