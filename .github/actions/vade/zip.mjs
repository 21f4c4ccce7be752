// Reads one file out of a zip archive of a stranger, in memory: no path of the archive is ever used.
import { inflateRawSync } from 'node:zlib';
import { Stop } from './job.mjs';

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * The bytes of the only entry with this name.
 *
 * @param {Buffer} zip
 * @param {number} most bytes that the file may have
 */
export function fileOf(zip, name, most) {
  try {
    const found = entriesOf(zip).filter((it) => it.name === name);
    if (found.length !== 1) throw new Stop('artifact_invalid', `the artifact has ${found.length} files ${name}`);
    return read(zip, found[0], most);
  } catch (error) {
    // a range outside the buffer, or a broken or too long stream
    if (error instanceof Stop) throw error;
    throw new Stop('artifact_invalid', `the artifact cannot be read: ${error.code ?? error.name}`);
  }
}

/** The directory at the end; it has the sizes also of entries that were written as a stream. */
function entriesOf(zip) {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const entries = [];
  for (let n = 0; n < count; n++) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Stop('artifact_invalid', 'the artifact has a broken directory');
    const [named, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + named),
      method: zip.readUInt16LE(at + 10),
      size: zip.readUInt32LE(at + 20),
      start: zip.readUInt32LE(at + 42),
    });
    at += 46 + named + extra + comment;
  }
  return entries;
}

function read(zip, { method, size, start }, most) {
  if (zip.readUInt32LE(start) !== LOCAL) throw new Stop('artifact_invalid', 'the artifact has a broken entry');
  const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const bytes = zip.subarray(from, from + size);
  if (method === STORED && size <= most) return bytes;
  if (method === DEFLATED) return inflateRawSync(bytes, { maxOutputLength: most });
  throw new Stop('artifact_invalid', 'the artifact is too large, or packed in another way');
}
