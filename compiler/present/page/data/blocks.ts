/** The text of a data block in this file; null if there is none. */
export function blockOf(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** The decoded bytes of a data block, still compressed; null if there is none. */
export async function unpack(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const text = blockOf(id);
  if (text === null) return null;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
