import { meantProgram } from '../effects/meant-program.ts';
import { BUILTINS } from '../shell/builtins.ts';
import { LOOKING, PLAIN, PROGRAM_OPTIONS } from '../shell/programs/plain-programs.ts';
import type { CommandReading } from '../shell/read-command.ts';
import type { InlineCode, Invocation } from '../shell/reading.ts';
import { programName } from '../shell/words/field.ts';
import { splitOptions } from '../shell/words/options.ts';
import { readSedScript } from '../shell/words/sed-script.ts';
import { judgeAwk } from './awk-code.ts';
import { changesForge, changesVersions, sendsToForge } from './forge-programs.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom } from './gate-module.ts';
import { hasGitWords, isGit, isGitBinary, namesGitCommand, takesGitFrom } from './git-programs.ts';
import { keepsScript, makesRelease, makesVersion } from './git-releases.ts';
import { judgeCode } from './inline-code.ts';
import { matchesPattern } from './pattern-match.ts';
import { feedsProgram, gitFilesOf, readsCommands, startsWritten } from './written-commands.ts';

const INSTEAD = 'leave the change in the worktree and describe it in your report: only the orchestrator runs git';

/** `policy::no-git-ops`: no program of the command may be git, or a forge's command that changes a repository. */
export const noGitOps: DecideAtom = ({ command }, { patterns }) => {
  if (command === null) return NOT_APPLICABLE;
  const written = gitFilesOf(command.written);
  for (const it of command.invocations) {
    const loaded = startsWritten(it, written) ? `${it.name} receives a file that contains a git command` : null;
    const why = judge(it, command.cwds) ?? loaded ?? matched(it, patterns);
    if (why !== null) return deny(`no git operations: ${why}`, INSTEAD);
  }
  if (feedsProgram(command.invocations))
    return deny('no git operations: a program receives text that contains a git command', INSTEAD);
  for (const it of command.inline) {
    const why = judgeInline(it);
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
function judge(invocation: Invocation, cwds: CommandReading['cwds']): string | null {
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
  if (name === 'awk' || /^[gmn]awk$/.test(name)) return awkOf(args);
  if (name === 'sed' || name === 'gsed') return sedOf(args);
  if (!LOOKING.has(name) && takesGitFrom(args, cwds)) return `an argument of ${name} is the git program`;
  if (invocation.settings.some((it) => startsWithGit(it.value))) return 'a variable contains a git command';
  if (!LOOKING.has(name) && args.some(isGitBinary)) return `an argument of ${name} is the git program`;
  return invocation.isWrapper ? null : judgeArguments(name, args, invocation);
}

function judgeArguments(name: string, args: readonly string[], { stdin }: Invocation): string | null {
  const option = Object.hasOwn(PROGRAM_OPTIONS, name) ? PROGRAM_OPTIONS[name] : undefined;
  const from = option === undefined ? -1 : args.findIndex((it) => option.test(it));
  if (from >= 0 && args.slice(from).some((it) => /(^|[^\w.-])git([^\w.-]|$)/i.test(it)))
    return `${name} would start git`;
  if (/^(nix|nix-shell|guix)$/.test(name) && args.some((it) => /(^|#)git$/.test(it))) return `${name} would start git`;
  if (readsCommands(name) && stdin.kind === 'text' && namesGitCommand(stdin.text))
    return `${name} reads a git command from its input`;
  if (PLAIN.has(name) || Object.hasOwn(BUILTINS, name)) return null;
  if (hasGitWords(args)) return `the arguments of ${name} contain a git command`;
  // a program that is given one text may run it; what a text is for, only a known program tells
  return args.some(namesGitCommand) ? `an argument of ${name} contains a git command` : null;
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

function awkOf(args: readonly string[]): string | null {
  const { options, rest } = splitOptions(args, {
    values: 'Fvfe',
    long: ['field-separator', 'assign', 'file', 'source'],
  });
  const sources = options.flatMap((it) => (it.name === 'e' || it.name === 'source' ? [it.value ?? ''] : []));
  const hasFile = options.some((it) => it.name === 'f' || it.name === 'file');
  const code = sources.length > 0 || hasFile ? sources : rest.slice(0, 1);
  return code.map(judgeAwk).find((it) => it !== null) ?? null;
}

function sedOf(args: readonly string[]): string | null {
  const { options, rest } = splitOptions(args, { values: 'efl', long: ['expression', 'file', 'line-length'] });
  const given = options.flatMap((it) => (it.name === 'e' || it.name === 'expression' ? [it.value ?? ''] : []));
  const code = given.length > 0 ? given.join('\n') : (rest[0] ?? '');
  return judgeSed(code);
}

/** An unknown part of a script, such as of a variable between slashes, is data unless `e` stands around it. */
function judgeSed(code: string): string | null {
  return readSedScript(code).executes ? 'sed starts a program' : null;
}

function judgeInline(it: InlineCode): string | null {
  if (it.program === 'awk') return judgeAwk(it.code);
  if (it.program === 'sed') return judgeSed(it.code);
  return programName(it.program) === null ? null : judgeCode(it);
}
