import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { MODEL_FILES, type HubModel, type ModelFile } from '../../schema/source/org.ts';
import { fetchFollowing } from '../remote/redirects.ts';

/** The hub that is asked where no other is named. */
const HUB = 'https://huggingface.co';

/** No file of a model is larger; whatever a hub sends, no more is read. */
const MAX_MODEL_BYTES = 1024 ** 3;

/** Where models of a hub come from the first time. */
export interface HubSource {
  /** Base address; absent or empty is the default hub. */
  readonly hub?: string | undefined;
  readonly fetch?: typeof fetch;
  /** Largest file, in bytes. */
  readonly limit?: number;
  /** One line for people before a file is fetched. */
  readonly say?: (line: string) => void;
}

/** One file of a model: where it comes from, where it is kept, and what it must be. */
interface Pinned {
  readonly file: ModelFile;
  readonly url: string;
  readonly path: string;
  readonly digest: string;
}

/**
 * Brings a pinned model of the hub into the models folder: what is missing is fetched, and everything is held
 * against its pin, now and on every later load. Without a network, what is there is enough.
 *
 * @param models folder that keeps all models
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
  // before it is told to anybody
  const { username, password } = URL.canParse(hub) ? new URL(hub) : { username: '', password: '' };
  if (username === '' && password === '') return hub.replace(/\/+$/, '');
  throw new VadeError('model_unavailable', 'VADE_MODEL_HUB has a name or password in it; give it without');
}

/** Fetches beside the place and moves there what is proven: a file that is in place is whole. */
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

/** A redirect is followed where it is harmless to ask; what counts of the answer is its digest, not who sent it. */
async function request(pinned: Pinned, source: HubSource): Promise<ReadableStream<Uint8Array>> {
  const { url } = pinned;
  const asking = { fetch: source.fetch, headers: { 'accept-encoding': 'identity' } };
  const response = await fetchFollowing(new URL(url), asking);
  const { body, ok, status, headers } = response;
  if (ok && body && Number(headers.get('content-length') ?? 0) <= limitOf(source)) return body;
  await body?.cancel();
  throw ok && body ? tooLarge(pinned, source) : unreachable(pinned, `HTTP status ${status}`);
}

/** A folder of models that is made here is a cache: git is told to leave it alone. */
async function prepareFolder(models: string, folder: string): Promise<void> {
  const fresh = !existsSync(models);
  await mkdir(folder, { recursive: true });
  if (fresh) await writeFile(join(models, '.gitignore'), '*\n');
}

/** Writes a body to disk and answers its sha256; untrusted input, so its bytes are counted. */
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
  const help =
    from === path ? 'remove it, and it is fetched anew' : 'correct the pin, if this is the file that is meant';
  const message = `${from} has sha256 ${found}, org.yaml pins ${expected} for ${file}; ${help}`;
  throw new VadeError('model_unavailable', message, { file, expected, found });
}

function unreachable({ file, url, path }: Pinned, reason: string): VadeError {
  const help = `run once with a network, or place ${file} into that folder by hand`;
  const message = `${file} of the model is not in ${dirname(path)}, and ${url} does not give it (${reason}); ${help}`;
  return new VadeError('model_unavailable', message, { file, url, path, reason });
}

function limitOf({ limit = MAX_MODEL_BYTES }: HubSource): number {
  return limit;
}

function tooLarge({ file, url }: Pinned, source: HubSource): VadeError {
  const message = `${url} is larger than ${limitOf(source)} bytes, more than any file of a model`;
  return new VadeError('model_unavailable', message, { file, url });
}

/** A failed fetch says why only in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${cause.code ?? cause.message}`;
}
