/**
 * Compares two bundles, and fails if they differ in anything but format numbers, digests and signatures:
 *
 *     VADE_GOLDEN_OUT=/tmp/before npx vitest run test/io/bundle/golden.test.ts    # at the commit before
 *     VADE_GOLDEN_OUT=/tmp/after npx vitest run test/io/bundle/golden.test.ts
 *     node test/golden/compare.mjs /tmp/before /tmp/after
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DIGEST = /\b[0-9a-f]{64}\b/g;
const masked = (text) => text.replace(DIGEST, '<digest>');

/** Format numbers, in the order of the members. */
let formats = [];

/** A JSON value without what may differ; the payload of an envelope is read as JSON. */
function withoutDigests(value, key = '') {
  if (key === 'format') return formats.push(value) && '<format>';
  if (key === 'sig') return '<signature>';
  if (key === 'payload') return withoutDigests(JSON.parse(Buffer.from(value, 'base64').toString('utf8')));
  if (typeof value === 'string') return masked(value);
  if (Array.isArray(value)) return value.map((it) => withoutDigests(it));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [masked(name), withoutDigests(it, name)]));
}

/** Bytes of other files than text are compared as they are. */
function read(path) {
  const bytes = readFileSync(path);
  formats = [];
  if (path.endsWith('.json')) return { bytes, rest: JSON.stringify(withoutDigests(JSON.parse(bytes))), formats };
  return {
    bytes,
    rest: /\.(md|txt)$|\/current$/.test(path) ? masked(bytes.toString('utf8')) : bytes.toString('hex'),
    formats,
  };
}

/** The files of a bundle by path, in which digests are masked. */
function filesOf(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((it) => statSync(join(folder, it)).isFile());
  const files = new Map(paths.sort().map((it) => [masked(it), read(join(folder, it))]));
  if (files.size === paths.length) return files;
  throw new Error(`${folder} has more than one root: compile into an empty folder`);
}

const [before, after] = process.argv.slice(2, 4).map(filesOf);
const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
const others = paths.filter((it) => before.get(it)?.rest !== after.get(it)?.rest);
const same = paths.filter((it) => before.has(it) && after.get(it)?.bytes.equals(before.get(it).bytes));

for (const path of paths) {
  const [from, to] = [before, after].map((it) => it.get(path)?.formats.join(' ') ?? '');
  if (others.includes(path)) console.log(`OTHERWISE  ${path}`);
  else if (from !== to) console.log(`format ${from} -> ${to}  ${path}`);
  else if (!same.includes(path)) console.log(`digests, signatures  ${path}`);
}
console.log(
  `${paths.length} files: ${same.length} have the same bytes, ${others.length} differ in more than format numbers, digests and signatures`,
);
process.exitCode = others.length === 0 ? 0 : 1;
