import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { NO_BATCH, readMessage, refusalOf, type McpRefusal } from './refuse-message.ts';

/** Requests of a host that are answered at the same time; a host that asks in turn has one. */
const MOST_UNANSWERED = 64;

/** The same limit as over HTTP. */
const MOST_IN_BATCH = 100;

/** A batch whose answers are sent together, once the last is there (JSON-RPC 2.0 §6). */
interface Batch {
  readonly answers: (JSONRPCMessage | McpRefusal)[];
  missing: number;
}

/**
 * MCP on the two streams of a host. The library's own transport is silent on messages that it cannot read, and drops
 * the answers that are missing when the input ends; a host that sends its requests and closes its end would never
 * receive them.
 *
 * It reads no further while too many requests wait for their answer, or the host does not read its answers: otherwise
 * both would pile up in memory without a bound.
 */
export class HostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineBuffer();
  /** The requests that wait, each with its batch. */
  readonly #unanswered = new Map<unknown, Batch | null>();
  #hasEnded = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.on('data', this.#read).once('end', this.#end).once('close', this.#end).on('error', this.#fail);
    this.#output.on('error', this.#fail);
    if (this.#input.readableEnded || this.#input.destroyed) queueMicrotask(this.#end);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const written = isAnswer ? this.#settle(message.id, message) : this.#write(message);
    this.#adjust();
    // resolves once the host has read enough
    await written;
    this.#adjust();
    this.#closeIfDone();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#input.off('data', this.#read).pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      for (const line of this.#lines.append(chunk)) this.#readLine(line);
    } catch (error) {
      this.#fail(error as Error);
    }
  };

  /** The end of the input is not the end of the connection: read requests are answered first. */
  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const line of this.#lines.take()) this.#readLine(line);
    this.#closeIfDone();
  };

  readonly #fail = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };

  #readLine(line: Buffer): void {
    const { message, refusal } = readMessage(line);
    if (refusal !== undefined) this.#refuse(refusal);
    else if (Array.isArray(message)) this.#readBatch(message);
    else this.#readOne(message);
    this.#adjust();
  }

  #readOne(value: unknown): void {
    const refused = refusalOf(value);
    if (refused !== null) this.#refuse(refused);
    else this.#deliver(value as JSONRPCMessage, null);
  }

  #readBatch(values: readonly unknown[]): void {
    if (values.length === 0 || values.length > MOST_IN_BATCH) {
      this.#refuse(NO_BATCH);
      return;
    }
    const refusals = values.map((it) => refusalOf(it));
    const refused = refusals.filter((it) => it !== null);
    const served = values.filter((_, at) => refusals[at] === null) as JSONRPCMessage[];
    const asked = served.flatMap((it) => (isJSONRPCRequest(it) ? [it.id] : []));
    const batch: Batch = { answers: refused, missing: new Set(asked).size };
    if (batch.missing === 0 && refused.length > 0) void this.#write(refused);
    for (const message of served) this.#deliver(message, batch);
  }

  #deliver(message: JSONRPCMessage, batch: Batch | null): void {
    if (isJSONRPCRequest(message)) this.#unanswered.set(message.id, batch);
    // the library answers no request that was cancelled
    else void this.#settle(cancelledBy(message), null);
    this.onmessage?.(message);
  }

  #refuse(refused: McpRefusal): void {
    this.onerror?.(new Error(refused.error.message));
    void this.#write(refused);
  }

  /** @param answer null if there will be none */
  async #settle(id: unknown, answer: JSONRPCMessage | null): Promise<void> {
    const batch = this.#unanswered.get(id) ?? null;
    const isWaiting = this.#unanswered.delete(id);
    if (batch === null) {
      if (answer !== null) await this.#write(answer);
    } else if (isWaiting) {
      if (answer !== null) batch.answers.push(answer);
      batch.missing--;
      if (batch.missing === 0 && batch.answers.length > 0) await this.#write(batch.answers);
    }
  }

  /** Resolves once more may be written. After the end of the connection nobody reads. */
  #write(sent: JSONRPCMessage | McpRefusal | Batch['answers']): Promise<void> {
    if (this.#isClosed || this.#output.write(`${JSON.stringify(sent)}\n`)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#output.off('drain', done).off('close', done);
        resolve();
      };
      this.#output.once('drain', done).once('close', done);
    });
  }

  #adjust(): void {
    if (this.#isClosed || this.#hasEnded) return;
    const isFull = this.#unanswered.size >= MOST_UNANSWERED || this.#output.writableNeedDrain;
    if (isFull === this.#input.isPaused()) return;
    if (isFull) this.#input.pause();
    else this.#input.resume();
  }

  #closeIfDone(): void {
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }
}

function cancelledBy(message: JSONRPCMessage): unknown {
  const isCancelling = isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
  return isCancelling ? message.params?.['requestId'] : undefined;
}

/** A longer line ends the connection; it is far more than a request may have. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 0x0a;

const BLANK = /^[ \t\r]*$/;

/** Cuts a stream of bytes into lines. */
class LineBuffer {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @returns the lines that are whole now; blank ones are left out @throws Error for a line over 10 MiB */
  append(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      lines.push(...this.take());
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  /** The rest that has no end yet, as a line. */
  take(): Buffer[] {
    const line = Buffer.concat(this.#chunks);
    [this.#chunks, this.#bytes] = [[], 0];
    return BLANK.test(line.toString('latin1')) ? [] : [line];
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) throw new Error(`a line has more than ${MAX_LINE_BYTES} bytes`);
    if (part.length > 0) this.#chunks.push(part);
  }
}
