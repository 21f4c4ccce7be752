import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { MODEL_FILES, type HubModel, type ModelFile } from '../../schema/source/org.ts';
import { asUnavailable, download, hubOf, type HubFile, type HubSource } from './hub-file.ts';

/** One file of a model: its source, its place, and its pinned digest. */
interface Pinned extends HubFile {
  readonly file: ModelFile;
  readonly digest: string;
}

/**
 * Downloads the missing files of a pinned model into the models folder, and compares every file with its pin, now and
 * on every later load. A complete folder needs no network.
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

/** Downloads to a scratch file, and renames it after its digest was verified: a file in place is complete. */
async function fetchFile(pinned: Pinned, models: string, source: HubSource): Promise<void> {
  const scratch = `${pinned.path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const { digest } = await download(pinned, scratch, source, () => prepareFolder(models, dirname(pinned.path)));
    assertPinned(pinned, pinned.url, digest);
    await rename(scratch, pinned.path);
  } catch (error) {
    throw asUnavailable(pinned, error);
  } finally {
    await rm(scratch, { force: true }).catch(() => undefined);
  }
}

/** Creates the folder; a new models folder gets a `.gitignore`, since it is a cache. */
export async function prepareFolder(models: string, folder: string): Promise<void> {
  const fresh = !existsSync(models);
  await mkdir(folder, { recursive: true });
  if (fresh) await writeFile(join(models, '.gitignore'), '*\n');
}

/** The sha256 of a file on disk. @throws model_unavailable */
export async function digestOf({ file, path }: Pick<HubFile, 'file' | 'path'>): Promise<string> {
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
  const help = from === path ? 'delete it, so that it is fetched again' : 'correct the pin if this is the right file';
  const message = `${from} has sha256 ${found}, org.yaml pins ${expected} for ${file}; ${help}`;
  throw new VadeError('model_unavailable', message, { file, expected, found });
}
