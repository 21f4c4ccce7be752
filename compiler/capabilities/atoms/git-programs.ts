import { isKnown, type Field } from '../shell/words/field.ts';

/** git, its parts, and programs that do little else but run it. */
const GIT = /^(git|git-[a-z0-9-]+|gitk|tig|lazygit|gitui|hub|stg|stgit|jj|gix|ein|git\.[a-z]+|dulwich|git_.*\.exe)$/;

/** Whether a program is git by any name. File systems exist on which `GIT` is git. */
export function isGit(name: string): boolean {
  return GIT.test(name.toLowerCase()) && name.toLowerCase() !== 'git-cliff';
}

const SUBCOMMANDS =
  'add am apply archive bisect blame branch bundle cat-file checkout cherry-pick clean clone commit commit-tree config describe diff fast-import fetch filter-branch fsck gc grep hash-object init lfs log ls-files ls-remote ls-tree maintenance merge mktree mv notes pack-refs prune pull push range-diff rebase receive-pack reflog remote repack replace reset restore rev-list rev-parse revert rm send-pack shortlog show show-ref stash status submodule subtree svn switch symbolic-ref tag update-index update-ref var worktree write-tree';
const FLAGS = String.raw`-C|-c|-p|--git-dir\S*|--work-tree\S*|--exec-path\S*|--no-pager|--bare|--namespace\S*`;
const FIRST_WORDS = new Set(SUBCOMMANDS.split(' '));
const FIRST_FLAG = new RegExp(`^(${FLAGS})$`);
const BINARY = /^(?:.*\/)?(?:s?bin|git-core|libexec)\/(git|git-[a-z-]+)(\.exe)?$/i;

/** Maximum number of words (options and their values) between git and its subcommand. */
const MAX_OPTIONS = 12;

/**
 * Whether a text holds a command of git somewhere: `git push`, `["git", "push"]`. It is split into words and read once:
 * a pattern for it would take exponential time on hostile text.
 */
export function namesGitCommand(text: Field): boolean {
  if (!/git/i.test(text)) return false;
  const words = text.split(/[^\w./-]+/);
  return words.some((word, at) => isGit(lastOf(word)) && leadsToSubcommand(words, at + 1));
}

/** Whether a subcommand follows, behind nothing but options and their values. */
function leadsToSubcommand(words: readonly string[], from: number): boolean {
  for (let at = from; at < Math.min(words.length, from + MAX_OPTIONS); at++) {
    const word = words[at] ?? '';
    // behind `-c` stands an option for one command, which is more than one word here
    if (FIRST_WORDS.has(word) || word === '-c') return true;
    const isValue = at > from && words[at - 1]?.startsWith('-') === true;
    if (!word.startsWith('-') && !isValue) return false;
  }
  return false;
}

/** Whether words contain git followed by one of its subcommands, as words of their own. */
export function hasGitWords(words: readonly Field[]): boolean {
  return words.some((word, at) => {
    const next = words[at + 1] ?? '';
    return isGit(lastOf(word)) && (FIRST_WORDS.has(next) || FIRST_FLAG.test(next));
  });
}

/** Whether a word is the file of git's program, or a glob that may match it in a folder of the system's programs. */
export function isGitBinary(word: Field): boolean {
  if (BINARY.test(word) || /(^|\/)git-core\/*$/.test(word)) return true;
  const [, name] = word.length > MAX_NAME ? [] : (SYSTEM_GLOB.exec(word) ?? []);
  if (name === undefined || isKnown(name)) return false;
  const parts = name.split(UNKNOWN).map((it) => it.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test('git');
}

/** Whether words name git where its program lies: `-C /usr/bin … git`, or `git` in a folder of programs. */
export function takesGitFrom(words: readonly Field[], cwds: readonly Field[]): boolean {
  const isFolder = (it: Field) => SYSTEM_FOLDER.test(it);
  return (words.some(isFolder) || cwds.some(isFolder)) && words.some((it) => /^(\.\/)?git(-[a-z]+)?$/.test(it));
}

/** A longer path is none of a system’s programs. */
const MAX_NAME = 255;
const SYSTEM_GLOB = /^\/(?:[\w.-]+\/)*(?:s?bin|git-core|libexec)\/([^/]+)$/;
const SYSTEM_FOLDER = /^\/(?:[\w.-]+\/)*(?:s?bin|git-core|libexec)\/?$/;
const UNKNOWN = /[\uE000-\uE003]+/;

function lastOf(word: Field): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
