const decoder = new TextDecoder();

/** The parts of Node's Buffer that reading an index needs. */
export class IndexBytes extends Uint8Array<ArrayBuffer> {
  static over({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): IndexBytes {
    return new IndexBytes(buffer, byteOffset, length);
  }

  readInt32LE(at: number): number {
    return new DataView(this.buffer, this.byteOffset, this.byteLength).getInt32(at, true);
  }

  override toString(): string {
    return decoder.decode(this);
  }
}
