import type { Assignment } from 'unbash';
import { expandOne } from './expansions.ts';
import type { Reading, Setting } from './reading.ts';
import { HOLE, isKnown, type Field } from './words/field.ts';

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
/** Names whose value an interpreter runs as code. */
const CODE_NAMES: readonly (readonly [name: RegExp, program: string])[] = [
  [/^PERL5DB$/, 'perl'],
  [/^LUA_INIT(_\d+)*$/, 'lua'],
];

/** Gives a name its values. @returns the same as settings of the program behind them */
export function assign(assignment: Assignment, reading: Reading): Setting[] {
  return reading.scope.while(assignment.name, () => assignValue(assignment, reading));
}

function assignValue(assignment: Assignment, reading: Reading): Setting[] {
  const { name, value, append, index } = assignment;
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((it) => reading.shell.expand(it, reading).flat());
    const plain = elements.map((it) => it.replace(/^\[[^\]]*\]=/, ''));
    for (const it of plain) readAssignment(name, it, reading);
    reading.scope.assign(name, append === true ? [HOLE] : plain);
    return [];
  }
  const texts = expandOne(value, reading);
  if (index !== undefined) for (const it of expandOne(index, reading)) rescan(it, reading);
  return texts.map((text) => {
    // which text comes first is not followed
    set(name, append === true ? HOLE : text, reading);
    readAssignment(name, text, reading);
    return { name, value: text };
  });
}

/** Gives a name one value, and looks at what this may run. */
function set(name: string, value: Field, reading: Reading): void {
  reading.scope.assign(name, [value]);
}

/**
 * Reads what an assignment may run by itself: text that arithmetic or a prompt expands, or a program that others start.
 */
export function readAssignment(name: string, value: Field, reading: Reading): void {
  rescan(value, reading);
  if (COMMAND_NAMES.test(name)) reading.shell.runScript(value.replace(/^\|+-?/, ''), { kind: 'none' }, reading);
  if (BUILD_NAMES.test(name) && isKnown(value)) reading.shell.runScript(value, { kind: 'none' }, reading);
  if (name.startsWith('BASH_FUNC_')) reading.shell.runScript(`f ${value}`, { kind: 'none' }, reading);
  if (/^(GNU)?MAKEFLAGS$/.test(name) && /eval|SHELL|CC=|-f/.test(value))
    reading.fault(`${name} changes the rules that make runs`);
  if (name === 'LESS' && value.includes('!'))
    reading.shell.runScript(value.slice(value.indexOf('!') + 1), { kind: 'none' }, reading);
  settleInterpreter(name, value, reading);
  if (/^(TAR_OPTIONS|FZF_DEFAULT_OPTS)$/.test(name))
    reading.shell.runScript(`${name.slice(0, 3).toLowerCase()} ${value}`, { kind: 'none' }, reading);
  for (const [, quoted, plain] of value.matchAll(/-XX:On\w*Error=(?:"([^"]*)"|(\S+))/g)) {
    reading.shell.runScript(quoted ?? plain ?? '', { kind: 'none' }, reading);
  }
  if (name === 'PYTHONSTARTUP')
    reading.shell.run(['python3', value], { settings: [], stdin: { kind: 'none' } }, reading);
  if (name === 'GOFLAGS') runToolsOf(value, reading);
  if (name === 'BASH_ENV' && value !== '') reading.fault('BASH_ENV names a file that every shell runs first');
  if (name === 'POSIXLY_CORRECT') reading.fault('POSIXLY_CORRECT changes where the options of a program end');
  if (name === 'PATH' && value.includes('git-core')) reading.fault('PATH contains the folder of git’s own programs');
  if (/^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH)$/.test(name) && /git/i.test(value)) reading.fault(`${name} names git`);
}

function settleInterpreter(name: string, value: Field, reading: Reading): void {
  const program = Object.hasOwn(OPTION_NAMES, name) ? OPTION_NAMES[name] : undefined;
  const interpreter = CODE_NAMES.find(([it]) => it.test(name))?.[1];
  const words =
    program !== undefined
      ? [program, ...value.split(/\s+/)]
      : interpreter === undefined
        ? []
        : [interpreter, '-e', value];
  // behind `@` stands a file
  if (words.length > 0 && !value.startsWith('@'))
    reading.shell.run(words, { settings: [], stdin: { kind: 'none' } }, reading);
}

/** The programs that Go starts for each of its tools and tests. */
function runToolsOf(flags: Field, reading: Reading): void {
  for (const [, tool = ''] of flags.matchAll(/-(?:toolexec|exec)=['"]?([^'"\s]+)/g)) {
    reading.shell.runScript(tool, { kind: 'none' }, reading);
  }
}

/** Reads `NAME=value` words, as `declare`, `export` and `env` take them. */
export function settingOf(field: Field): Setting | null {
  const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=([^]*)$/.exec(field) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}

/** Reads `NAME=value` like a program that passes on any name; a shell takes some of them for functions. */
export function anySettingOf(field: Field): Setting | null {
  const at = field.indexOf('=');
  return at > 0 && !/[\s/]/.test(field.slice(0, at)) ? { name: field.slice(0, at), value: field.slice(at + 1) } : null;
}

/** A plain text that the shell may expand later, as the index of an array in arithmetic, is read as if it were now. */
export function rescan(text: Field, reading: Reading): void {
  if (!text.includes('$(') && !text.includes('`')) return;
  reading.shell.runScript(`: <<__VADE_TEXT__\n${text}\n__VADE_TEXT__\n`, { kind: 'none' }, reading);
}
