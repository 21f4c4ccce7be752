import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import { UNEXPECTED, VadeError } from '../../compiler/schema/errors.ts';
import { errorValue } from '../operations/result.ts';

/**
 * A failed call of a tool: the model reads it, and can do better. As text alone: a client checks structured content
 * against the output schema, which describes success, and its model would read of that contradiction instead.
 *
 * @param isBrief whether code and message are enough
 */
export function toolFailure(thrown: unknown, isBrief: boolean): CallToolResult {
  const body = errorValue(asVadeError(thrown));
  const { code, message } = body.error;
  return { isError: true, content: [{ type: 'text', text: isBrief ? `${code}: ${message}` : JSON.stringify(body) }] };
}

/** A failed reading of a resource or prompt: the host reads it. */
export function protocolFailure(thrown: unknown): ProtocolError {
  const error = asVadeError(thrown);
  const { status = 500 } = error.entry;
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  const body = errorValue(error);
  return new ProtocolError(code, body.error.message, body.error);
}

function asVadeError(thrown: unknown): VadeError {
  return thrown instanceof VadeError ? thrown : new VadeError('internal', UNEXPECTED);
}
