import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { MODEL_FILES, type HubModel, type ModelFile } from '../../schema/source/org.ts';
import { asUnavailable, download, hubOf, MAX_MODEL_BYTES, type HubSource } from './hub-file.ts';
import { digestOf, prepareFolder } from './hub.ts';
import { licenceIn, licenceOf, revisionOf } from './model-card.ts';

/** A model that was fetched and has digests, but is not yet in the models folder: it can be tried before it is kept. */
export interface StagedModel {
  /** The pin for `org.yaml`. */
  readonly model: HubModel;
  /** A models folder that contains only this model. */
  readonly models: string;
  readonly bytes: number;
  /** As the model's card says; null if it has none. */
  readonly licence: string | null;
  /** Moves the files into the models folder, each complete. @throws model_unavailable if other files are there */
  readonly keep: () => Promise<void>;
  /** Removes the files that were not kept. */
  readonly discard: () => void;
}

/** Model and its commit. */
export interface ModelRequest {
  readonly name: string;
  readonly revision: string;
}

/** Writes one file of a model of at most `limit` bytes to a path, and returns its size and sha256. */
type Bring = (
  file: ModelFile,
  path: string,
  limit: number,
) => Promise<{ readonly bytes: number; readonly digest: string }>;

/**
 * Fetches a model from the hub or a mirror. Untrusted input: the files' names are ours, they have one limit together,
 * and redirects never lead from https to http.
 *
 * @param revision default: the newest commit that the hub names
 * @throws model_unavailable
 */
export async function stageFromHub(
  models: string,
  { name, revision }: { readonly name: string; readonly revision: string | undefined },
  source: HubSource,
): Promise<StagedModel> {
  const wanted = { name, revision: revision ?? (await revisionOf(name, source)) };
  const base = `${hubOf(source)}/${name}/resolve/${wanted.revision}`;
  const bring: Bring = async (file, path, limit) => {
    const one = { file, url: `${base}/${file}`, path };
    const prepare = () => prepareFolder(models, dirname(path));
    try {
      return await download(one, path, { ...source, limit }, prepare);
    } catch (error) {
      throw asUnavailable(one, error);
    }
  };
  const licence = () => licenceOf(`${base}/README.md`, source);
  return stage(models, wanted, { bring, licence, limit: source.limit ?? MAX_MODEL_BYTES });
}

/** Copies a model from a folder of this machine. @throws model_unavailable */
export async function stageFromFolder(
  models: string,
  wanted: ModelRequest,
  folder: string,
  limit = MAX_MODEL_BYTES,
): Promise<StagedModel> {
  const bring: Bring = async (file, path, left) => {
    const bytes = sizeOf(join(folder, file), left);
    try {
      await prepareFolder(models, dirname(path));
      await copyFile(join(folder, file), path);
    } catch (error) {
      throw unreadable(join(folder, file), messageOf(error));
    }
    return { bytes, digest: await digestOf({ file, path }) };
  };
  return stage(models, wanted, { bring, licence: () => Promise.resolve(licenceIn(folder)), limit });
}

function sizeOf(path: string, limit: number): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw unreadable(path, 'it is not a file');
  if (stat.size > limit) throw unreadable(path, `it is larger than the remaining limit of ${limit} bytes`);
  return stat.size;
}

function unreadable(path: string, why: string): VadeError {
  return new VadeError('model_unavailable', `${path} cannot be pinned: ${why}`, { path });
}

/** Source of a model's files. */
interface ModelOrigin {
  readonly bring: Bring;
  readonly licence: () => Promise<string | null>;
  /** Of all files together, in bytes: nothing has pinned any of them yet. */
  readonly limit: number;
}

/** Brings all files into a scratch folder beside the models; a failure leaves nothing of it. */
async function stage(
  models: string,
  { name, revision }: ModelRequest,
  { bring, licence, limit }: ModelOrigin,
): Promise<StagedModel> {
  const scratch = join(models, `.staged-${randomBytes(6).toString('hex')}`);
  const folder = join(scratch, name, revision);
  const discard = () => {
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    const digests = new Map<ModelFile, string>();
    let total = 0;
    for (const file of MODEL_FILES) {
      const { bytes, digest } = await bring(file, join(folder, file), limit - total);
      total += bytes;
      digests.set(file, digest);
    }
    const files = Object.fromEntries(digests) as Record<ModelFile, string>;
    const model = { name, revision, files };
    const keep = () => move(model, folder, join(models, name, revision));
    return { model, models: scratch, bytes: total, licence: await licence(), keep, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** A file that is there already must be the same: a revision is one text of each file, whoever sent it. */
async function move({ files }: HubModel, from: string, to: string): Promise<void> {
  for (const file of MODEL_FILES) {
    const path = join(to, file);
    if (!existsSync(path)) {
      await mkdir(dirname(path), { recursive: true });
      await rename(join(from, file), path);
    } else if ((await digestOf({ file, path })) !== files[file]) {
      const message = `${path} is another file than the one to pin, for the same revision; delete it if it is the wrong one`;
      throw new VadeError('model_unavailable', message, { file, path });
    }
  }
}
