/** A longer line ends the connection; it is far more than a request may have. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 0x0a;

const BLANK = /^[ \t\r]*$/;

/** Cuts a stream of bytes into lines. */
export class LineBuffer {
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
