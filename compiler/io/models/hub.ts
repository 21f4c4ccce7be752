import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { MODEL_FILES, type HubModel, type ModelFile } from '../../schema/source/org.ts';
import { fetchWithRedirects } from '../remote/redirects.ts';

/** The default hub. */
const HUB = 'https://huggingface.co';

/** The maximum size of a model's file; untrusted input: no more is read. */
const MAX_MODEL_BYTES = 1024 ** 3;

/** How models are downloaded. */
export interface HubSource {
  /** Base address; default: the default hub. */
  readonly hub?: string | undefined;
  readonly fetch?: typeof fetch;
  /** Maximum size of a file, in bytes. */
  readonly limit?: number;
  /** Called with a line for people before a file is fetched. */
  readonly say?: (line: string) => void;
}

/** One file of a model: its source, its place, and its pinned digest. */
interface Pinned {
  readonly file: ModelFile;
  readonly url: string;
  readonly path: string;
  readonly digest: string;
}

/**
 * Downloads the missing files of a pinned model into the models folder, and compares every file with its pin, now and on
 * every later load. A complete folder needs no network.
 *
 * @param models folder of all models
 * @returns the folder of this model at this revision
 * @throws model_unavailable
 */
export async function fetchModel(models: string, model: HubModel, source: HubSource = {}): Promise<string> {
  const folder = join(models, model.name, model.revision);
  for (const file of MODEL_FILES) {
    const pinned: Pinned = {
      file,
      url: `${hubOf(source)}/${model.name}/resolve/${model.revision}/${file}`,
      path: join(folder, file),
      digest: model.files[file],
    };
    if (existsSync(pinned.path)) assertPinned(pinned, pinned.path, await digestOf(pinned));
    else await fetchFile(pinned, models, source);
  }
  return folder;
}

function hubOf({ hub }: HubSource): string {
  if (hub === undefined || hub === '') return HUB;
  // checked before the address is printed or logged
  const { username, password } = URL.canParse(hub) ? new URL(hub) : { username: '', password: '' };
  if (username === '' && password === '') return hub.replace(/\/+$/, '');
  throw new VadeError('model_unavailable', 'VADE_MODEL_HUB must not contain a name or password');
}

/** Downloads to a scratch file, and renames it after its digest was verified: a file in place is complete. */
async function fetchFile(pinned: Pinned, models: string, source: HubSource): Promise<void> {
  const scratch = `${pinned.path}.${randomBytes(6).toString('hex')}.tmp`;
  source.say?.(`fetching ${pinned.url}`);
  try {
    const body = await request(pinned, source);
    await prepareFolder(models, dirname(pinned.path));
    assertPinned(pinned, pinned.url, await save(pinned, body, scratch, source));
    await rename(scratch, pinned.path);
  } catch (error) {
    throw error instanceof VadeError ? error : unreachable(pinned, reasonOf(error));
  } finally {
    await rm(scratch, { force: true }).catch(() => undefined);
  }
}

/** Requests a file; redirects are followed, since the digest authenticates the file, whoever sends it. */
async function request(pinned: Pinned, source: HubSource): Promise<ReadableStream<Uint8Array>> {
  const { url } = pinned;
  const asking = { fetch: source.fetch, headers: { 'accept-encoding': 'identity' } };
  const response = await fetchWithRedirects(new URL(url), asking);
  const { body, ok, status, headers } = response;
  if (ok && body && Number(headers.get('content-length') ?? 0) <= limitOf(source)) return body;
  await body?.cancel();
  throw ok && body ? tooLarge(pinned, source) : unreachable(pinned, `HTTP status ${status}`);
}

/** Creates the folder; a new models folder gets a `.gitignore`, since it is a cache. */
async function prepareFolder(models: string, folder: string): Promise<void> {
  const fresh = !existsSync(models);
  await mkdir(folder, { recursive: true });
  if (fresh) await writeFile(join(models, '.gitignore'), '*\n');
}

/** Writes a body to disk and returns its sha256. Untrusted input: its size is limited. */
async function save(
  pinned: Pinned,
  body: ReadableStream<Uint8Array>,
  scratch: string,
  source: HubSource,
): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(scratch, 'wx');
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limitOf(source)) throw tooLarge(pinned, source);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function digestOf({ file, path }: Pinned): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new VadeError('model_unavailable', `${path} cannot be read: ${messageOf(error)}`, { file });
  }
  return hash.digest('hex');
}

function assertPinned({ file, path, digest: expected }: Pinned, from: string, found: string): void {
  if (found === expected) return;
  const help = from === path ? 'remove it, and it is fetched again' : 'correct the pin if this is the right file';
  const message = `${from} has sha256 ${found}, org.yaml pins ${expected} for ${file}; ${help}`;
  throw new VadeError('model_unavailable', message, { file, expected, found });
}

function unreachable({ file, url, path }: Pinned, reason: string): VadeError {
  const help = `run once with a network, or copy ${file} into that folder`;
  const message = `${file} of the model is not in ${dirname(path)}, and ${url} cannot be fetched (${reason}); ${help}`;
  return new VadeError('model_unavailable', message, { file, url, path, reason });
}

function limitOf({ limit = MAX_MODEL_BYTES }: HubSource): number {
  return limit;
}

function tooLarge({ file, url }: Pinned, source: HubSource): VadeError {
  const message = `${url} is larger than ${limitOf(source)} bytes, the limit for a model's file`;
  return new VadeError('model_unavailable', message, { file, url });
}

/** The reason of a failed fetch is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${cause.code ?? cause.message}`;
}
