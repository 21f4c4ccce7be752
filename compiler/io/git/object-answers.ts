import type { AnswerState } from './object-stream.ts';

/** An object that git announces before its bytes. */
export interface ObjectHeader {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** The fate of an object's bytes: they are kept or passed over, or nothing more is read. */
export type Fate = 'keep' | 'skip' | 'stop';

const HEADER = /^([0-9a-f]{40}|[0-9a-f]{64}) ([a-z]+) (\d+)$/;
const NEWLINE = 0x0a;

/** Parses the output of `cat-file --batch`: a header line for each name, and each object's bytes and line feed. */
export class ObjectAnswers {
  /** Number of answered names, the one at which it stopped included. */
  answered = 0;
  readonly #count: number;
  readonly #decide: (header: ObjectHeader | null, line: string) => Fate;
  readonly #keep: (id: string, bytes: Buffer) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #header: ObjectHeader | null = null;
  /** Bytes that are still to be passed over. */
  #skipped = 0;
  #stopped = false;

  /**
   * @param count how many names were asked for
   * @param decide of each answer; without a header, its line says why there is no object
   */
  constructor(
    count: number,
    decide: (header: ObjectHeader | null, line: string) => Fate,
    keep: (id: string, bytes: Buffer) => void,
  ) {
    this.#count = count;
    this.#decide = decide;
    this.#keep = keep;
  }

  take(chunk: Buffer): AnswerState {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#takeNext());
    if (this.#stopped) return 'stop';
    return this.answered === this.#count && this.#header === null && this.#skipped === 0 ? 'done' : 'more';
  }

  #takeNext(): boolean {
    if (this.#skipped > 0) return this.#skip();
    return this.#header === null ? this.#takeHeader() : this.#takeObject(this.#header);
  }

  #takeHeader(): boolean {
    const line = this.#shiftLine();
    if (line === null) return false;
    this.answered += 1;
    const [, id, type = '', size] = HEADER.exec(line) ?? [];
    const header = id === undefined ? null : { id, type, size: Number(size) };
    const fate = this.#decide(header, line);
    this.#stopped = fate === 'stop';
    if (fate === 'keep') this.#header = header;
    else if (header !== null) this.#skipped = header.size + 1;
    return !this.#stopped;
  }

  #takeObject({ id, size }: ObjectHeader): boolean {
    const bytes = this.#shift(size + 1);
    if (bytes === null) return false;
    this.#keep(id, bytes.subarray(0, size));
    this.#header = null;
    return true;
  }

  #skip(): boolean {
    const passed = this.#shift(Math.min(this.#skipped, this.#pendingBytes));
    this.#skipped -= passed?.length ?? 0;
    return this.#skipped === 0;
  }

  /** All pending bytes in one buffer; copied once for each chunk, not once for each object in it. */
  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pending;
    if (this.#pending.length < 2) return first;
    const all = Buffer.concat(this.#pending);
    this.#pending = [all];
    return all;
  }

  #shiftLine(): string | null {
    const end = this.#join().indexOf(NEWLINE);
    return end === -1 ? null : (this.#shift(end + 1)?.toString('latin1', 0, end) ?? null);
  }

  /** Removes and returns the next bytes; null if there are fewer. */
  #shift(bytes: number): Buffer | null {
    if (this.#pendingBytes < bytes) return null;
    const all = this.#join();
    this.#pending = [all.subarray(bytes)];
    this.#pendingBytes -= bytes;
    return all.subarray(0, bytes);
  }
}
