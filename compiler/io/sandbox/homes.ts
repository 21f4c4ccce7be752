import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from '../git/git-process.ts';
import { hasSystemPrograms } from './search-disk.ts';

/** Tools of a home. Other files of a home, such as keys, are not seen. */
const TOOLS = [
  ...['.nvm', '.volta', '.fnm', '.asdf', '.pyenv', '.rbenv', '.nodenv', '.goenv', '.jenv', '.ghcup', '.elan'],
  ...['.juliaup', '.sdkman', '.deno/bin', '.bun/bin', '.npm-global', 'go/bin', '.rustup', '.cargo/bin'],
  ...['.local/bin', '.local/lib', '.local/pipx/venvs', '.nix-profile', '.local/state/nix'],
  // beside the tools of uv are its credentials
  ...['claude/versions', 'fnm', 'mise', 'uv/python', 'uv/tools', 'pnpm', 'pipx/venvs'].map(
    (it) => `.local/share/${it}`,
  ),
];

/** Paths that may hold keys in a home, for the case that, say, the repository is the whole home. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/git', '.config/gcloud', '.claude'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.gitconfig', '.cargo/credentials', '.cargo/credentials.toml'],
  ...['.local/share/uv/credentials', '.vade'],
];

/** Folders of the system, which are the homes of some of its own users. */
const SYSTEM = ['/bin', '/sbin', '/usr', '/usr/bin', '/usr/sbin', '/usr/games', '/dev', '/proc', '/etc'];

/**
 * The home that the environment names, and the user's own, which is another under `sudo` or with `HOME` set; each by
 * its own name and by where links lead.
 */
export function homesOf(home: string): string[] {
  const own = [home, orNull(() => userInfo().homedir) ?? home].filter((it) => isAbsolute(it) && dirname(it) !== it);
  const all = own.flatMap((it) => [it, orNull(() => realpathSync(it)) ?? it]);
  return [...new Set(all)].filter((it) => !SYSTEM.includes(it));
}

export function secretsOf(homes: readonly string[]): string[] {
  return homes.flatMap((it) => SECRETS.map((name) => join(it, name)));
}

/** The part of the disk that is shown for a program: its folder, or only the program itself where a home lies there. */
export function programPlace(file: string, home: string): string {
  return isAround(dirname(file), homesOf(home)) ? file : dirname(file);
}

function isAround(folder: string, homes: readonly string[]): boolean {
  return homes.some((home) => isInside(home, folder));
}

/** Folders of PATH with what their programs read, and the tools of homes. A folder around a home is left out. */
export function toolsFor(path: string, homes: readonly string[]): string[] {
  const folders = path.split(delimiter).filter((it) => isAbsolute(it) && !isAround(it, homes));
  const tools = homes.flatMap((it) => TOOLS.map((name) => join(it, name)));
  return [...folders.flatMap((it) => installationOf(it, homes)), ...tools];
}

/**
 * Programs in `…/bin` read what lies in `…/lib`. Of a folder such as `~/.docker`, which may hold keys beside its `bin`,
 * not everything is shown for that. The system is seen anyway.
 */
function installationOf(folder: string, homes: readonly string[]): string[] {
  const whole = dirname(folder);
  if (basename(folder) !== 'bin' || hasSystemPrograms(folder) || isAround(whole, homes)) return [folder];
  const home = homes.find((it) => isInside(whole, it));
  const isMixed = dirname(whole) === home && basename(whole).startsWith('.');
  return isMixed ? [folder, ...BESIDE_BIN.map((it) => join(whole, it))] : [folder, whole];
}

const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'share', 'include', 'pyvenv.cfg'];
