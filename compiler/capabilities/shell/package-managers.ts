import type { Handler } from './builtins.ts';
import { runShells } from './runners.ts';
import { splitOptions, verbAt } from './words/options.ts';

/** `npx -c text`, `npm exec -c text`, `npm exec -- program`. */
export const runPackage: Handler = (words, { stdin }, reading) => {
  const [name = '', ...args] = words;
  const isNpx = name.endsWith('npx');
  const at = verbAt(words, /^(exec|x)$/);
  if (!isNpx && at < 0) {
    runShells(words, { settings: [], stdin }, reading);
    return;
  }
  for (const [place, it] of args.entries()) {
    const [, text = it === '-c' || it === '--call' ? args[place + 1] : undefined] =
      /^(?:--call=|-c)([^]+)$/.exec(it) ?? [];
    if (text !== undefined) reading.shell.runScript(text, stdin, reading);
  }
  if (isNpx) return;
  const inner = splitOptions(words.slice(at + 1), { values: 'pc', long: ['package', 'call'] }).rest;
  reading.shell.run(inner, { settings: [], stdin }, reading);
};

/** `yarn workspace name …`, `yarn workspaces foreach …`: the same program again, or one that it starts. */
export const runYarn: Handler = (words, context, reading) => {
  const one = verbAt(words, /^workspace$/);
  const each = verbAt(words, /^workspaces$/);
  const started = each < 0 ? -1 : words.findIndex((it, at) => at > each && /^(exec|dlx)$/.test(it));
  if (one > 0) reading.shell.run(['yarn', ...words.slice(one + 2)], context, reading);
  else if (started > 0) reading.shell.run(words.slice(started + 1), context, reading);
  else runShells(words, context, reading);
};

/** `bun run name`, `bun x name`, `bun exec text`; a file behind `run` is code, which an interpreter's reader finds. */
export const runBun: Handler = (words, context, reading) => {
  const at = verbAt(words, /^(run|x|exec)$/);
  const { rest } = splitOptions(words.slice(at + 1), {});
  if (at < 0) runShells(words, context, reading);
  else if (words[at] === 'exec') reading.shell.runScript(rest.join(' '), context.stdin, reading);
  else if (words[at] === 'x' || !/[./]/.test(rest[0] ?? '')) reading.shell.run(rest, context, reading);
};

/** `cargo watch -- program`. */
export const runCargo: Handler = (words, context, reading) => {
  const at = verbAt(words, /^watch$/);
  if (at < 0) runShells(words, context, reading);
  else reading.shell.run(splitOptions(words.slice(at + 1), { values: 'xswiBdCEF' }).rest, context, reading);
};

/** `corepack pnpm@9 exec …`: the package manager, in the version that a project asks for. */
export const runCorepack: Handler = (words, context, reading) => {
  const [, manager = '', ...args] = words;
  const [name = ''] = manager.split('@');
  if (/^(npm|npx|pnpm|pnpx|yarn|yarnpkg)$/.test(name)) reading.shell.run([name, ...args], context, reading);
  else runShells(words, context, reading);
};

/** Names that `cmake -E` has for programs of the shell. */
const CMAKE: Readonly<Record<string, readonly string[]>> = {
  copy: ['cp'],
  copy_if_different: ['cp'],
  copy_directory: ['cp', '-rT'],
  rename: ['mv', '-T'],
  touch_nocreate: ['touch'],
  remove: ['rm'],
  remove_directory: ['rm', '-r'],
  create_symlink: ['ln', '-s'],
  create_hardlink: ['ln'],
};

/** `cmake -E rm a`: a program that every system has by that name. */
export const runCmake: Handler = (words, context, reading) => {
  const [, option = '', name = '', ...args] = words;
  if (option === '-E' && name === 'chdir') {
    reading.scope.folders.enter(args[0] ?? '');
    reading.shell.run(args.slice(1), context, reading);
  } else if (option === '-E') reading.shell.run([...(CMAKE[name] ?? [name]), ...args], context, reading);
  else runShells(words, context, reading);
};

/** A version of Node, which may stand before the program. */
const VERSION = /^(v?\d[\w.-]*|node|stable|unstable|system|default|iojs\S*|lts\S*)$/;

/** `nvm exec 20 program`, `nvm run 20 file`. */
export const runNvm: Handler = (words, context, reading) => {
  const at = verbAt(words, /^(exec|run)$/);
  if (at < 0) return;
  const { rest } = splitOptions(words.slice(at + 1), {});
  const inner = VERSION.test(rest[0] ?? '') ? rest.slice(1) : rest;
  reading.shell.run(words[at] === 'run' ? ['node', ...inner] : inner, context, reading);
};
