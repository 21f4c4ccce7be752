import { meantProgram } from '../effects/meant-program.ts';
import type { Invocation } from '../shell/command.ts';
import { LOOKING, PLAIN, READING } from '../shell/plain-programs.ts';
import { changesForge, changesVersions, sendsToForge } from './forge-programs.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom } from './gate-module.ts';
import { hasGitWords, isGit, isGitBinary, namesGitCommand } from './git-programs.ts';
import { keepsScript, makesRelease, makesVersion } from './git-releases.ts';
import { matchesPattern } from './pattern-match.ts';

const INSTEAD = 'leave the change in the worktree and describe it in your report: only the orchestrator runs git';

/** `policy::no-git-ops`: no program of the command may be git, or a forge's command that changes a repository. */
export const noGitOps: DecideAtom = ({ command }, { patterns }) => {
  if (command === null) return NOT_APPLICABLE;
  for (const it of command.invocations) {
    const why = judge(it) ?? matched(it, patterns);
    if (why !== null) return deny(`no git operations: ${why}`, INSTEAD);
  }
  return command.faults.length > 0 ? unreadable(command) : ALLOW;
};

function matched({ name, words }: Invocation, patterns: readonly string[]): string | null {
  const text = [name, ...words.slice(1)].join(' ');
  const pattern = patterns.find((it) => matchesPattern(text, it));
  return pattern === undefined ? null : `${name} matches ${pattern}`;
}

/** Why a program may not run; null if it may. */
function judge(invocation: Invocation): string | null {
  const name = invocation.name.toLowerCase();
  const args = invocation.words.slice(1);
  if (isGit(name)) return `${invocation.name} is git`;
  if ((name === 'gh' || name === 'glab') && changesForge(args)) return `${name} would change or clone a repository`;
  if (changesVersions(name, args)) return `${name} changes a repository`;
  if (sendsToForge(name, args)) return `${name} changes a repository on a forge`;
  const meant = meantProgram({ name, words: invocation.words });
  if (makesRelease(meant.program, meant.args)) return `${name} commits and tags`;
  if (keepsScript(name, args)) return `${name} receives a script that contains a git command`;
  if (makesVersion(name, args)) return `${name} creates a commit and a tag`;
  if (/^(python|pypy)[0-9.]*$/.test(name) && runsGitModule(args)) return `${name} runs a git module`;
  if (invocation.settings.some((it) => startsWithGit(it.value))) return 'a variable contains a git command';
  if (!LOOKING.has(name) && args.some(isGitBinary)) return `an argument of ${name} is the git program`;
  if (invocation.isWrapper || READING.has(name)) return null;
  if (hasGitWords(args)) return `the arguments of ${name} contain a git command`;
  if (PLAIN.has(name)) return null;
  // a program that is given one text may run it; what a text is for, only a known program tells
  const texts = [...args, invocation.input ?? ''];
  return texts.some(namesGitCommand) ? `a text for ${name} contains a git command` : null;
}

/** Whether a text is a command line of git, and not one that only mentions it. */
function startsWithGit(text: string): boolean {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  return isGit(first.slice(first.lastIndexOf('/') + 1)) && rest.length > 0 && namesGitCommand(text);
}

function runsGitModule(args: readonly string[]): boolean {
  const at = args.findIndex((it) => /^-[A-Za-z]*m$/.test(it));
  return at >= 0 && /^(git|dulwich|gitpython|pygit2)\b/i.test(args[at + 1] ?? '');
}
