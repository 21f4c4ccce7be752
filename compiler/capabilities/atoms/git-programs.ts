import type { Field } from '../shell/field.ts';

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

/** Whether a word is the file of git's program. */
export function isGitBinary(word: Field): boolean {
  return BINARY.test(word) || /(^|\/)git-core\/*$/.test(word);
}

function lastOf(word: Field): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
