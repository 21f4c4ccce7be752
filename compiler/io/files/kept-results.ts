import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import type { KeptResults, KeptWork } from '../../schema/kept-results.ts';
import { replaceFile } from './durable.ts';
import { readRegular } from './file.ts';
import { asOnlyWriterOf } from './only-writer.ts';
import { VERSION } from './version.ts';

/** The results of earlier runs in memory. */
export interface OpenResults extends KeptResults {
  /** Writes them back if any is new. A file that cannot be written is no fault: the next run works for its results. */
  readonly save: () => void;
}

/** The most characters of all results. More are not kept, and a larger file is not read: a run would pay for it. */
const MOST = 16 * 1024 * 1024;

/** The program's files in a build. Their names have digests of what is in them. */
const CHUNKS = new URL('../../../chunks/', import.meta.url);

/** Stands for the code that runs. From sources, which only who changes them runs, it is the version alone. */
const program = (): string => (known ??= digestOfProgram());

let known: string | undefined;

function digestOfProgram(): string {
  const names = existsSync(CHUNKS) ? readdirSync(CHUNKS).sort() : [];
  return createHash('sha256')
    .update(JSON.stringify([VERSION, ...names]))
    .digest('hex');
}

/** The first line of the file. */
const Head = z.strictObject({ format: z.literal(1), program: z.string(), mac: z.hex() });

/** Results as JSON, by the digest of their inputs. */
const Results = z.record(z.string(), z.string());

/**
 * Opens the results that the last run kept. Untrusted input: a file that is damaged, that another program wrote, or
 * that has not the code of `key`, counts as none.
 *
 * @param key a secret of this folder: a file that somebody brings along is not used
 * @param path null for results that end with the process
 */
export function openResults(key: string, path: string | null, most = MOST): OpenResults {
  const before = path === null ? new Map<string, string>() : read(path, key, most);
  const used = new Map<string, string>();
  let characters = 0;
  let isNew = false;
  const use = (digest: string, json: string) => {
    if (used.has(digest) || characters + json.length > most) return;
    characters += json.length;
    used.set(digest, json);
  };
  const find = <T>(work: KeptWork, inputs: string, schema: z.ZodType<T>): T | null => {
    const digest = digestOf(work, inputs);
    const json = used.get(digest) ?? before.get(digest);
    if (json === undefined) return null;
    use(digest, json);
    return schema.safeParse(parsed(json)).data ?? null;
  };
  const keep = (work: KeptWork, inputs: string, result: unknown) => {
    if (characters >= most) return;
    const digest = digestOf(work, inputs);
    const json = JSON.stringify(result);
    if (used.get(digest) === json) return;
    characters -= used.get(digest)?.length ?? 0;
    used.delete(digest);
    use(digest, json);
    isNew = true;
  };
  const save = () => {
    if (path === null || !isNew) return;
    // results that this run did not use may belong to another command or branch; they are the first to be dropped
    for (const [digest, json] of before) use(digest, json);
    write(path, key, used);
    isNew = false;
  };
  return { find, keep, save };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const digestOf = (work: KeptWork, inputs: string) =>
  createHash('sha256').update(`${work}\n`).update(inputs).digest('base64');

function macOf(key: string, body: string): string {
  return createHmac('sha256', key).update(`vademecum kept results\n${program()}\n`).update(body).digest('hex');
}

function read(path: string, key: string, most: number): Map<string, string> {
  try {
    const text = readRegular(path, 2 * most, 'refuse').toString('utf8');
    const end = text.indexOf('\n');
    const head = Head.parse(JSON.parse(text.slice(0, end)));
    if (head.program !== program()) return new Map();
    const body = text.slice(end + 1);
    if (!timingSafeEqual(Buffer.from(head.mac), Buffer.from(macOf(key, body)))) return new Map();
    return new Map(Object.entries(Results.parse(JSON.parse(body))));
  } catch {
    return new Map();
  }
}

function write(path: string, key: string, results: ReadonlyMap<string, string>): void {
  const body = JSON.stringify(Object.fromEntries(results));
  const head = JSON.stringify({ format: 1, program: program(), mac: macOf(key, body) });
  try {
    asOnlyWriterOf([path], () => {
      replaceFile(path, `${head}\n${body}`, { mode: 0o600 });
    });
  } catch {
    // a folder that cannot be written, or whose way is a link: the next run works for its results
  }
}
