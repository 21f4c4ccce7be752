import { parse } from 'smol-toml';
import { listOf } from '../../capabilities/atoms/gate-module.ts';
import { fail, notApplicable, PASS, unknown, type CheckModule, type Judgement, type Work } from './check-module.ts';
import { shown, type CommandLine } from './command.ts';
import { CARGO } from './ecosystems.ts';
import { commandOf, fileIn, folderOf, judgeEnd, nameOf, prepare, projectFolders, steers } from './projects.ts';

/** `quality::cargo-check-green`: `cargo check` of the crates that the task names, else of each whole workspace. */
export const cargoCheckGreen: CheckModule = (work, check, task) =>
  runCargo(work, task, ['cargo', 'check'], listOf('cargo-check-crates', check, task), {});

/** `quality::no-warnings`: every workspace builds with `-D warnings`. */
export const noWarnings: CheckModule = (work, _, task) =>
  runCargo(work, task, ['cargo', 'build'], [], { RUSTFLAGS: '-D warnings' });

async function runCargo(
  work: Work,
  task: Parameters<CheckModule>[2],
  words: readonly string[],
  crates: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Judgement> {
  const files = await work.files();
  const folders = projectFolders(files, CARGO);
  if (folders.length === 0) return withoutProject(work);
  const steered = await steers(work, CARGO, task);
  if (steered !== null) return steered;
  const commands = await cargoCommands(work, words, crates, folders);
  if ('result' in commands) return commands;
  for (const it of commands) {
    const unready = await prepare(work, CARGO, it.folder, task);
    if (unready !== null) return unready;
    const command = { ...it, env: { ...it.env, ...env } };
    const failed = judgeEnd(command, await work.run(command));
    if (failed !== null) return failed;
  }
  return { ...PASS, reason: commands.map(shown).join('; ') };
}

/** A tree without a manifest has nothing to compile, unless the change took it away. */
function withoutProject({ changes }: Work): Judgement {
  const gone = changes.filter(({ path, after }) => after === null && nameOf(path) === 'Cargo.toml');
  if (gone.length > 0) return fail('the workspace no longer exists', gone.map((it) => it.path).join('\n'));
  return notApplicable('there is no Cargo.toml');
}

/** One command for each workspace, with `-p` for the named crates that lie in it. */
export async function cargoCommands(
  work: Work,
  words: readonly string[],
  crates: readonly string[],
  folders: readonly string[],
): Promise<CommandLine[] | Judgement> {
  const files = await work.files();
  const locked = (folder: string) => (files.includes(fileIn(folder, 'Cargo.lock')) ? ['--locked'] : []);
  if (crates.length === 0) {
    return folders.map((it) => commandOf([...words, '--workspace', ...locked(it)], it, CARGO));
  }
  const places = await cratePlaces(work, files);
  const commands: CommandLine[] = [];
  const unplaced = crates.filter((it) => !places.has(it));
  if (unplaced.length > 0) return unknown('crates that the task names are in no Cargo.toml', unplaced.join('\n'));
  for (const folder of folders) {
    const isHere = (path: string) => folder === '' || path === folder || path.startsWith(`${folder}/`);
    const here = crates.filter((it) => isHere(places.get(it) ?? '\0'));
    if (here.length === 0) continue;
    commands.push(commandOf([...words, ...here.flatMap((it) => ['-p', it]), ...locked(folder)], folder, CARGO));
  }
  return commands;
}

/** The folder of each crate, by its name. */
async function cratePlaces(work: Work, files: readonly string[]): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const path of files.filter((it) => nameOf(it) === 'Cargo.toml')) {
    const name = crateName((await work.read(path))?.toString('utf8') ?? '');
    if (name !== null) places.set(name, folderOf(path));
  }
  return places;
}

function crateName(text: string): string | null {
  try {
    const found = parse(text)['package'];
    const name = typeof found === 'object' && 'name' in found ? found['name'] : null;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
