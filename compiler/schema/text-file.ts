const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a UTF-8 file, without a byte order mark. @throws TypeError if it is not UTF-8 */
export function textOfFile(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** A text as the program wrote it: git and editors change line ends, and may add a byte order mark. */
export function asWritten(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
