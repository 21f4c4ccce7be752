const decoder = new TextDecoder();

/** Bytes that read as text, as Node's Buffer does: the part of it that reading an index needs. */
export class IndexBytes extends Uint8Array<ArrayBuffer> {
  static over({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): IndexBytes {
    return new IndexBytes(buffer, byteOffset, length);
  }

  override toString(): string {
    return decoder.decode(this);
  }
}
