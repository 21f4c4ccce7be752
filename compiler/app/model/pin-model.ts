import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { rewriteFile } from '../../io/files/rewrite-file.ts';
import { loadEncoder, type LoadedEncoder } from '../../io/models/encoder.ts';
import { queryCost } from '../../io/models/query-cost.ts';
import { stageFromFolder, stageFromHub, type StagedModel } from '../../io/models/staged-model.ts';
import { VadeError } from '../../schema/errors.ts';
import { ModelChoice, type NamedModel, type Org } from '../../schema/source/org.ts';
import { editModel, type ModelSettings } from '../../sources/edit-model.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { hubOf } from '../../world/model-hub.ts';
import type { World } from '../../world/world.ts';
import type { MODEL_PIN } from '../flags/sources.ts';
import { compareEncoders, readModelOf, type ProbeGain } from './compare-encoders.ts';

export type PinFlags = Arguments<typeof MODEL_PIN>;

export interface PinnedModel {
  readonly changed: boolean;
  readonly file: string;
  readonly choice: ModelChoice;
  readonly licence: string | null;
  readonly bytes: number;
  /** Milliseconds, measured now; `before` is that of the encoder that `org.yaml` names now, if it names one. */
  readonly query_ms: { readonly now: number; readonly before: number | null };
  readonly probes: readonly ProbeGain[];
}

/**
 * Fetches a model, tries it, and pins it in `org.yaml`. Nothing is kept or written of a model that does not load.
 *
 * @throws argument_invalid, model_unavailable, source_not_found, sources_invalid, output_failed
 */
export async function pinModel(flags: PinFlags, world: World): Promise<PinnedModel> {
  const file = `${flags.source}/org.yaml`;
  const repo = resolve(world.cwd, flags.repo);
  const before = await readModelOf(flags, world);
  const staged = await stageOf(flags, world);
  // a signal ends the process, which waits for nothing
  void world.ended.then(staged.discard);
  try {
    const text = readFileSync(join(repo, file));
    const choice = choiceOf(flags, staged, before);
    const written = editModel(text.toString('utf8'), staged.model, settingsOf(flags));
    if (written === null) throw unwritable(file, staged);
    const tried = await tryModel(flags, staged, { choice, before }, world);
    const after = Buffer.from(written);
    if (!flags['dry-run']) await staged.keep();
    if (!flags['dry-run'] && !after.equals(text)) rewriteFile(repo, flags.source, file, text, after);
    const { licence, bytes } = staged;
    return { changed: !after.equals(text), file, choice, licence, bytes, ...tried };
  } finally {
    staged.discard();
  }
}

/** Cost and probe results of the new encoder, beside those of today's. */
async function tryModel(
  flags: PinFlags,
  staged: StagedModel,
  { choice, before }: { readonly choice: ModelChoice; readonly before: Org['model'] },
  world: World,
): Promise<Pick<PinnedModel, 'query_ms' | 'probes'>> {
  const found = await loadEncoder(staged.models, choice);
  const models = resolve(world.cwd, flags.models);
  const today = before === 'none' ? null : await loadToday(models, before, world);
  const query_ms = { now: await queryCost(found.encoder), before: today && (await queryCost(today.encoder)) };
  const probes = await compareEncoders(flags, { before: today?.encoder ?? null, after: found.encoder, choice }, world);
  return { query_ms, probes };
}

function loadToday(models: string, before: NamedModel, world: World): Promise<LoadedEncoder> {
  return loadEncoder(models, before, hubOf(world));
}

/** From the hub, or from `--from`: a mirror by its address, or a folder. */
function stageOf(flags: PinFlags, world: World): Promise<StagedModel> {
  const { name, revision, from } = flags;
  checkName(name, revision);
  const models = resolve(world.cwd, flags.models);
  const hub = hubOf(world);
  if (from === undefined) return stageFromHub(models, { name, revision }, hub);
  if (/^https?:\/\//.test(from)) return stageFromHub(models, { name, revision }, { ...hub, hub: from });
  const folder = resolve(world.cwd, from);
  return stageFromFolder(models, { name, revision: revision ?? revisionIn(folder) }, folder);
}

/** The caches of the hub name a folder by its commit. @throws argument_invalid */
function revisionIn(folder: string): string {
  const name = basename(folder);
  if (/^[0-9a-f]{40}$/.test(name)) return name;
  throw new VadeError('argument_invalid', `${folder} does not say its commit; give it with --revision`, {
    flag: 'revision',
  });
}

function checkName(name: string, revision: string | undefined): void {
  const checked = ModelChoice.safeParse({ name });
  if (!checked.success) {
    throw new VadeError('argument_invalid', `--name “${name}” is not a valid name of a model`, { flag: 'name' });
  }
  if (revision !== undefined && !/^[0-9a-f]{40}$/.test(revision)) {
    throw new VadeError('argument_invalid', '--revision must be a commit: 40 lower-case hex digits, never a branch', {
      flag: 'revision',
    });
  }
}

function settingsOf(flags: PinFlags): ModelSettings {
  const { pooling, mode } = flags as { pooling: ModelSettings['pooling']; mode: ModelSettings['mode'] };
  return { pooling, mode, query_prefix: flags['query-prefix'], passage_prefix: flags['passage-prefix'] };
}

/** The choice as `org.yaml` will have it: settings of the same model stay. */
function choiceOf(flags: PinFlags, { model }: StagedModel, before: Org['model']): ModelChoice {
  const given = Object.entries(settingsOf(flags)).filter(([, value]) => value !== undefined);
  const kept = typeof before !== 'object' ? {} : before.name === model.name ? before : { mode: before.mode };
  return ModelChoice.parse({ ...kept, ...model, ...Object.fromEntries(given) });
}

function unwritable(file: string, { model }: StagedModel): VadeError {
  const message = `${file} cannot be edited automatically; write this model by hand`;
  return new VadeError('sources_invalid', message, { suggestion: JSON.stringify(model, null, 2) });
}
