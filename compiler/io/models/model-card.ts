import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { ModelChoice } from '../../schema/source/org.ts';
import { asUnavailable, hubOf, request, type HubFile, type HubSource } from './hub-file.ts';

/** The most that is read of a card, or of what the hub says about a model. */
const MAX_TEXT_BYTES = 1024 ** 2;

const Revision = z.object({ sha: ModelChoice.shape.revision.unwrap() });

/** The newest commit of a model. @throws model_unavailable if the hub names none, as a plain mirror does */
export async function revisionOf(name: string, source: HubSource): Promise<string> {
  const url = `${hubOf(source)}/api/models/${name}`;
  const said = Revision.safeParse(json(await readText(url, source))).data;
  if (said !== undefined) return said.sha;
  throw new VadeError('model_unavailable', `${url} names no commit; give it with --revision`, { url });
}

/** The licence that a model's card names; null if there is no card, or it names none. */
export async function licenceOf(url: string, source: HubSource): Promise<string | null> {
  try {
    return licenceFrom(await readText(url, source));
  } catch {
    return null;
  }
}

/** The same for a model in a folder. */
export function licenceIn(folder: string): string | null {
  const path = join(folder, 'README.md');
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_TEXT_BYTES ? licenceFrom(readFileSync(path, 'utf8')) : null;
}

/** Untrusted text: only what looks like the identifier of a licence is taken. */
function licenceFrom(card: string): string | null {
  const [, head = ''] = /^---\r?\n([\s\S]*?)\n---/.exec(card) ?? [];
  return /^license:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9.+-]{0,59})["']?[ \t]*\r?$/m.exec(head)?.[1] ?? null;
}

function json(text: string): unknown {
  return orNull(() => JSON.parse(text) as unknown);
}

/** Reads a short text of the hub. @throws model_unavailable */
async function readText(url: string, source: HubSource): Promise<string> {
  const wanted: HubFile = { file: url.split('/').at(-1) ?? '', url, path: url };
  const limit = Math.min(source.limit ?? MAX_TEXT_BYTES, MAX_TEXT_BYTES);
  try {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of await request(wanted, { ...source, limit })) {
      size += part.length;
      if (size > limit) throw new Error(`it is larger than ${limit} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    throw asUnavailable(wanted, error);
  }
}
