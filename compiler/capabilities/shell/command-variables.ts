import type { Reading } from './reading.ts';
import { isKnown, type Field } from './words/field.ts';

/** Names whose value a program runs as a command. */
const COMMAND_NAMES =
  /^(PAGER|MANPAGER|GIT_PAGER|GH_PAGER|SYSTEMD_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GH_EDITOR|FCEDIT|SUDO_EDITOR|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|SHELL|SUDO_ASKPASS|SSH_ASKPASS|GIT_ASKPASS|GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|\w+_(EDITOR|PAGER|BROWSER)|BASH_ALIASES|BASH_CMDS|RUSTC_WRAPPER|MAKESHELL|FZF_\w+_COMMAND|npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL)$/;
/** Names whose value build rules start as a program; values that only the shell knows are left to it. */
const BUILD_NAMES =
  /^(CC|CXX|CPP|LD|AR|AS|FC|NM|RANLIB|LEX|YACC|MAKE|RUSTC|RUSTDOC|RUSTC_WORKSPACE_WRAPPER|CARGO|CARGO_BUILD_(RUSTC|RUSTDOC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER)|CARGO_TARGET_\w+_(RUNNER|LINKER)|CMAKE_\w+_(LAUNCHER|COMPILER)|npm_config_(git|shell|editor))$/;

/** Names whose words a program takes as if they were its first options. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  PERL5OPT: 'perl',
  RUBYOPT: 'ruby',
};

/** Reads what programs run of a variable's value: a command, code, or options that hold one. */
export function readVariable(name: string, value: Field, reading: Reading): void {
  if (COMMAND_NAMES.test(name)) reading.shell.runScript(value.replace(/^\|+-?/, ''), { kind: 'none' }, reading);
  if (BUILD_NAMES.test(name) && isKnown(value)) reading.shell.runScript(value, { kind: 'none' }, reading);
  if (name.startsWith('BASH_FUNC_')) reading.shell.runScript(`f ${value}`, { kind: 'none' }, reading);
  if (/^(GNU)?MAKEFLAGS$/.test(name) && /eval|SHELL|CC=|-f/.test(value))
    reading.fault(`${name} changes the rules that make runs`);
  if (name === 'LESS' && value.includes('!'))
    reading.shell.runScript(value.slice(value.indexOf('!') + 1), { kind: 'none' }, reading);
  const started = startedBy(name, value);
  if (started.length > 0) reading.shell.run(started, { settings: [], stdin: { kind: 'none' } }, reading);
  if (/^(TAR_OPTIONS|FZF_DEFAULT_OPTS)$/.test(name))
    reading.shell.runScript(`${name.slice(0, 3).toLowerCase()} ${value}`, { kind: 'none' }, reading);
  for (const [, quoted, plain] of value.matchAll(/-XX:On\w*Error=(?:"([^"]*)"|(\S+))/g)) {
    reading.shell.runScript(quoted ?? plain ?? '', { kind: 'none' }, reading);
  }
  if (name === 'GOFLAGS') runToolsOf(value, reading);
  if (name === 'BASH_ENV' && value !== '') reading.fault('BASH_ENV names a file that every shell runs first');
  if (name === 'POSIXLY_CORRECT') reading.fault('POSIXLY_CORRECT changes where the options of a program end');
  if (name === 'PATH' && value.includes('git-core')) reading.fault('PATH contains the folder of git’s own programs');
  if (/^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH)$/.test(name) && /git/i.test(value)) reading.fault(`${name} names git`);
}

/** An interpreter as it is started with what a variable gives it; empty for other variables. */
function startedBy(name: string, value: Field): Field[] {
  if (Object.hasOwn(OPTION_NAMES, name)) return [OPTION_NAMES[name] ?? '', ...value.split(/\s+/)];
  if (name === 'PYTHONSTARTUP') return ['python3', value];
  if (name === 'PERL5DB') return ['perl', '-e', value];
  // behind `@` stands a file
  return /^LUA_INIT(_\d+)*$/.test(name) && !value.startsWith('@') ? ['lua', '-e', value] : [];
}

/** The programs that Go starts for each of its tools and tests. */
function runToolsOf(flags: Field, reading: Reading): void {
  for (const [, tool = ''] of flags.matchAll(/-(?:toolexec|exec)=['"]?([^'"\s]+)/g)) {
    reading.shell.runScript(tool, { kind: 'none' }, reading);
  }
}
