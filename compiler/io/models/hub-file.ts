import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { fetchWithRedirects } from '../remote/redirects.ts';

/** The default hub. */
const HUB = 'https://huggingface.co';

/** Maximum size of a pinned model's file, and of all files of an unpinned one; untrusted input: no more is read. */
export const MAX_MODEL_BYTES = 1024 ** 3;

/** Settings for the download of models. */
export interface HubSource {
  /** Base address; default: the default hub. */
  readonly hub?: string | undefined;
  readonly fetch?: typeof fetch;
  /** Maximum size of a file, or of all files that are not pinned yet, in bytes. */
  readonly limit?: number;
  /** Called with a line for people before a file is fetched. */
  readonly say?: (line: string) => void;
}

/** One file of a model: its name, its source, and its place on disk. */
export interface HubFile {
  readonly file: string;
  readonly url: string;
  readonly path: string;
}

/** The address of the hub. @throws model_unavailable if it contains a password */
export function hubOf({ hub }: HubSource): string {
  if (hub === undefined || hub === '') return HUB;
  // checked before the address is printed or logged
  const { username, password } = URL.canParse(hub) ? new URL(hub) : { username: '', password: '' };
  if (username === '' && password === '') return hub.replace(/\/+$/, '');
  throw new VadeError('model_unavailable', 'VADE_MODEL_HUB must not contain a name or password');
}

/**
 * Downloads a file into `scratch`, and returns its size and sha256. The caller removes what a failure leaves.
 *
 * @param prepare makes the folder, after the hub has answered: a hub that does not answer leaves no folder
 */
export async function download(
  wanted: HubFile,
  scratch: string,
  source: HubSource,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Downloaded> {
  source.say?.(`fetching ${wanted.url}`);
  const body = await request(wanted, source);
  await prepare();
  return save(wanted, body, scratch, source);
}

export interface Downloaded {
  readonly bytes: number;
  readonly digest: string;
}

/** Requests a file; redirects are followed, since the digest authenticates the file, whoever sends it. */
export async function request(wanted: HubFile, source: HubSource): Promise<ReadableStream<Uint8Array>> {
  const { url } = wanted;
  const asking = { fetch: source.fetch, headers: { 'accept-encoding': 'identity' } };
  const response = await fetchWithRedirects(new URL(url), asking);
  const { body, ok, status, headers } = response;
  if (ok && body && Number(headers.get('content-length') ?? 0) <= limitOf(source)) return body;
  await body?.cancel();
  throw ok && body ? tooLarge(wanted, source) : unreachable(wanted, `HTTP status ${status}`);
}

/** Writes a body to disk and returns its sha256. Untrusted input: its size is limited. */
async function save(
  wanted: HubFile,
  body: ReadableStream<Uint8Array>,
  scratch: string,
  source: HubSource,
): Promise<Downloaded> {
  const hash = createHash('sha256');
  const file = await open(scratch, 'wx');
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > limitOf(source)) throw tooLarge(wanted, source);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, digest: hash.digest('hex') };
}

/** The error of a model for any error. */
export function asUnavailable(wanted: HubFile, error: unknown): VadeError {
  return error instanceof VadeError ? error : unreachable(wanted, reasonOf(error));
}

function unreachable({ file, url, path }: HubFile, reason: string): VadeError {
  const help = `run once with a network, or copy ${file} into that folder`;
  const message = `${file} of the model is not in ${dirname(path)}, and ${url} cannot be fetched (${reason}); ${help}`;
  return new VadeError('model_unavailable', message, { file, url, path, reason });
}

function limitOf({ limit = MAX_MODEL_BYTES }: HubSource): number {
  return limit;
}

function tooLarge({ file, url }: HubFile, source: HubSource): VadeError {
  const message = `${url} is larger than the remaining limit of ${limitOf(source)} bytes`;
  return new VadeError('model_unavailable', message, { file, url });
}

/** The reason of a failed fetch is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${cause.code ?? cause.message}`;
}
