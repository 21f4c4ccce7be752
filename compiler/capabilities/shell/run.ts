import { shellWord } from '../../schema/shell-word.ts';
import { BUILTINS, type Handler } from './builtins.ts';
import { noteWrites } from './file-writes.ts';
import { interpreterOf, readInterpreter, runCommand } from './interpreters.ts';
import { runBun, runCargo, runCmake, runCorepack, runNvm, runPackage, runYarn } from './package-managers.ts';
import { commandsIn, scriptedStart } from './programs/command-options.ts';
import { WRAPPERS, type Wrapper } from './programs/wrappers.ts';
import type { Context, Reading } from './reading.ts';
import {
  runEnv,
  runFd,
  runFind,
  runFlock,
  runMake,
  runOption,
  runParallel,
  runShells,
  runStdinScript,
  runTexts,
  runTmux,
  runWatch,
  runXargs,
  takeSettings,
} from './runners.ts';
import { runAwk, runSed } from './sed-awk.ts';
import { readShell, runWritten, SHELLS } from './shells.ts';
import { programName, type Field } from './words/field.ts';
import { splitOptions, verbAt } from './words/options.ts';

const RUNNERS: Readonly<Record<string, Handler>> = {
  env: runEnv,
  genv: runEnv,
  xargs: runXargs,
  gxargs: runXargs,
  find: runFind,
  gfind: runFind,
  fd: runFd,
  fdfind: runFd,
  parallel: runParallel,
  sem: runParallel,
  flock: runFlock,
  watch: runWatch,
  make: runMake,
  gmake: runMake,
  su: runOption('cgGsw'),
  runuser: runOption('cgGsuw'),
  sg: runOption('c'),
  'nix-shell': runOption('pAIEj'),
  script: runOption('cIOBTE'),
  capsh: runOption('c'),
  npx: runPackage,
  npm: runPackage,
  yarn: runYarn,
  bun: runBun,
  cargo: runCargo,
  cmake: runCmake,
  corepack: runCorepack,
  nvm: runNvm,
  sed: runSed,
  gsed: runSed,
  at: runStdinScript,
  batch: runStdinScript,
  tmux: runTmux,
  screen: runTexts,
  hyperfine: runTexts,
  concurrently: runTexts,
  nodemon: runTexts,
  chokidar: runTexts,
  entr: runTexts,
  sops: runTexts,
  pm2: runTexts,
  watchexec: runTexts,
  fzf: runTexts,
  sk: runTexts,
  awk: runAwk,
  gawk: runAwk,
  nawk: runAwk,
  mawk: runAwk,
};

/** Reads one program with its arguments, and the programs that it would run. */
export function run(words: readonly Field[], context: Context, reading: Reading): void {
  const [program] = words;
  if (program === undefined) return;
  reading.inside(() => {
    // zsh looks up what stands behind a `=`
    const name = programName(program.replace(/^=(?=.)/, ''));
    if (name === null) {
      reading.fault('the name of a program is only known at run time');
      return;
    }
    const isWrapper = readInside(name.toLowerCase(), words, context, reading);
    const { settings, stdin } = context;
    reading.invocations.push({ name, words, settings, stdin, isWrapper });
    noteWrites(words, name, context, reading);
    runNamed(program, words, context, reading);
  });
}

/** Reads the meanings of a name here: functions, aliases, and files that this command has just written. */
function runNamed(program: Field, words: readonly Field[], context: Context, reading: Reading): void {
  if (reading.scope.functions.has(program)) {
    reading.scope.addPositionals(words.slice(1));
    if (reading.scope.folders.functionsMove) reading.scope.folders.lose();
  }
  for (const text of reading.scope.aliases.get(program) ?? []) {
    const args = words.slice(1).map(shellWord);
    reading.once(`${program}\0${text}`, () => {
      reading.shell.runScript([text, ...args].join(' '), context.stdin, reading);
    });
  }
  if (program.includes('/')) runWritten(program, reading);
  else for (const text of reading.scope.writtenAs(program)) reading.shell.runScript(text, { kind: 'none' }, reading);
}

/** Reads the programs that a program would run in turn. @returns whether it does nothing else */
function readInside(name: string, words: readonly Field[], context: Context, reading: Reading): boolean {
  for (const it of commandsIn(name, words, context.stdin)) reading.shell.runScript(it, { kind: 'none' }, reading);
  const scripted = scriptedStart(name, words, context.stdin);
  if (scripted !== null) reading.fault(scripted);
  if (SHELLS.has(name)) return readShell(words, context, reading);
  const wrapper = wrapperOf(name);
  if (wrapper !== null) readWrapper(wrapper, words, context, reading);
  const handler = ownOf(BUILTINS, name) ?? ownOf(RUNNERS, name);
  handler?.(words, context, reading);
  const interpreter = interpreterOf(name);
  if (interpreter !== null) readInterpreter(name, interpreter)(words, context, reading);
  const isRead = wrapper !== null && findsProgram(wrapper, words);
  if (!isRead && handler === undefined && interpreter === null) runShells(words, context, reading);
  return isRead || WRAPPING.has(name);
}

const WRAPPING = new Set(['command', 'builtin', 'exec', 'eval', 'env', 'xargs', 'parallel', 'flock', 'watch', 'npx']);

function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Architectures: `setarch` takes one before its options and its program. */
const ARCHITECTURE = /^(x86|x86_64|amd64|i[3-6]86|aarch64|arm\w*|ppc\w*|s390x?|sparc\w*|mips\w*|riscv\d+|uname26)$/;

function wrapperOf(name: string): Wrapper | null {
  if (/^(ld\.so|ld(-linux.*)?\.so(\.\d+)?|qemu-\w+|wine(64)?)$/.test(name) || ARCHITECTURE.test(name)) return {};
  return ownOf(WRAPPERS, name) ?? null;
}

/** Words of a wrapper's call without the group of its verb. */
function ungrouped({ group }: Wrapper, words: readonly Field[]): readonly Field[] {
  return group === undefined ? words : words.filter((it) => !group.test(it));
}

/** Whether a call of a wrapper has a verb, or dashes, behind which a program stands: its other verbs run none. */
function findsProgram(wrapper: Wrapper, words: readonly Field[]): boolean {
  if (wrapper.isBehindDashes === true) return words.includes('--');
  return wrapper.verb === undefined || verbAt(ungrouped(wrapper, words), wrapper.verb) > 0;
}

function readWrapper(wrapper: Wrapper, all: readonly Field[], { stdin, settings }: Context, reading: Reading): void {
  const words = ungrouped(wrapper, all);
  const { options, rest } = splitOptions(words.slice(1), wrapper);
  const dashes = words.indexOf('--');
  let inner = wrapper.isBehindDashes === true ? words.slice(dashes < 0 ? words.length : dashes + 1) : rest;
  if (wrapper.verb !== undefined) {
    // `poetry shell` and its like start one on the standard input
    if (verbAt(words, /^shell$/) > 0) reading.shell.run(['sh'], { settings, stdin }, reading);
    const at = verbAt(words, wrapper.verb);
    if (at < 0) return;
    inner = splitOptions(words.slice(at + 1), wrapper).rest;
    // behind an option for it, some take the script of a shell
    if (/\s/.test(inner[0] ?? '')) runCommand(inner, reading);
  }
  inner = inner.slice(wrapper.skip ?? 0);
  const taken = wrapper.hasSettings === true ? takeSettings(inner, reading) : { settings: [], rest: inner };
  // behind some options, such as `sudo -s`, or where nothing follows, many start a shell on the standard input
  const isShell = options.some((it) => it.name === 's' || it.name === 'i') || stdin.kind === 'text';
  if (taken.rest.length === 0 && isShell) reading.shell.run(['sh'], { settings, stdin }, reading);
  reading.shell.run(taken.rest, { settings: [...settings, ...taken.settings], stdin }, reading);
}
