import { splitOptions } from '../shell/options.ts';
import type { Field } from '../shell/words/field.ts';

/** git, its parts, and programs that do little else but run it. */
const GIT = /^(git|git-[a-z0-9-]+|gitk|tig|lazygit|gitui|hub|stg|stgit|git\.[a-z]+|dulwich|git_.*\.exe)$/;

/** Whether a program is git by any name. File systems exist on which `GIT` is git. */
export function isGit(name: string): boolean {
  return GIT.test(name.toLowerCase()) && name.toLowerCase() !== 'git-cliff';
}

const SUBCOMMANDS =
  'add am apply archive bisect blame branch bundle cat-file checkout cherry-pick clean clone commit commit-tree config describe diff fast-import fetch filter-branch fsck gc grep hash-object init lfs log ls-files ls-remote ls-tree maintenance merge mktree mv notes pack-refs prune pull push range-diff rebase receive-pack reflog remote repack replace reset restore rev-list rev-parse revert rm send-pack shortlog show show-ref stash status submodule subtree svn switch symbolic-ref tag update-index update-ref var worktree write-tree';
const FLAGS = String.raw`-C|-c|-p|--git-dir\S*|--work-tree\S*|--exec-path\S*|--no-pager|--bare|--namespace\S*`;
const GIT_COMMAND = new RegExp(
  String.raw`(^|[^\w.-])git(\.exe)?["',\s\]\[()]+((${FLAGS}|-\S+)\s+(\S+\s+)?)*["']?(${SUBCOMMANDS.replaceAll(' ', '|')})(?![\w-])`,
  'i',
);
const FIRST_WORDS = new Set(SUBCOMMANDS.split(' '));
const FIRST_FLAG = new RegExp(`^(${FLAGS})$`);
const BINARY = /^(?:.*\/)?(?:s?bin|git-core|libexec)\/(git|git-[a-z-]+)(\.exe)?$/i;

/** Whether a text holds a command of git somewhere: `git push`, `["git", "push"]`. */
export function namesGitCommand(text: Field): boolean {
  // long words without git cannot match, and are the ones that take time
  return /git/i.test(text) && GIT_COMMAND.test(text.length > 65_536 ? text.slice(0, 65_536) : text);
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
  return BINARY.test(word);
}

function lastOf(word: Field): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

const FORGE_VERBS: Readonly<Record<string, RegExp | null>> = {
  // null: every verb
  repo: null,
  gist: /^clone$/,
  alias: /^(set|import)$/,
  extension: /^(install|upgrade|exec|create)$/,
  pr: /^(checkout|co|merge|create|close|reopen|edit|ready|update-branch|revert)$/,
  mr: /^(checkout|merge|create|close|reopen|update|rebase)$/,
  release: /^(create|delete|edit|upload|delete-asset)$/,
  workflow: /^(run|enable|disable)$/,
  cs: null,
  codespace: null,
};
const FORGE_API = /^(https?:\/\/[^/]*\/)?(api\/v\d+\/)?\/?(repos|projects|graphql|repositories)(\/|$|\?)/i;

/** Whether `gh` or `glab` would change, or clone, a repository. */
export function changesForge(args: readonly Field[]): boolean {
  const { rest } = splitOptions(args, { values: 'R', long: ['repo', 'hostname'] });
  const [group = '', verb = ''] = rest;
  if (group === 'api') return rest.slice(1).some((it) => FORGE_API.test(it)) || args.some((it) => FORGE_API.test(it));
  const verbs = Object.hasOwn(FORGE_VERBS, group) ? FORGE_VERBS[group] : undefined;
  return verbs !== undefined && (verbs === null || rest.slice(1).some((it) => verbs.test(it)) || verbs.test(verb));
}
