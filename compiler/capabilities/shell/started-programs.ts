import { HOLE, INPUT, isKnown, QUOTED_HOLE, STAR, type Field } from './field.ts';
import { splitOptions, verbAt, type Option, type Options } from './options.ts';

/** The programs that a program starts in turn. */
export interface Started {
  /** Other programs, each with its words. */
  readonly programs: readonly (readonly Field[])[];
  /** Texts that a shell runs. */
  readonly scripts: readonly Field[];
  /** Whether it does nothing else. */
  readonly isWrapper: boolean;
  /** Why this is not known; null if it is. */
  readonly fault: string | null;
}

const NOTHING: Started = { programs: [], scripts: [], isWrapper: false, fault: null };

export const SHELLS = new Set('sh bash rbash dash ash zsh ksh mksh fish'.split(' '));

/** A program that runs the program among its words. */
interface Wrapper extends Options {
  /** Operands before the program. */
  readonly skip?: number;
  /** Only behind this verb. */
  readonly verb?: RegExp;
  /** Options whose value is a script. */
  readonly scripts?: readonly string[];
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: {},
  bun: { verb: /^x$/ },
  bundle: { verb: /^exec$/ },
  busybox: {},
  bunx: {},
  chroot: { skip: 1, long: ['userspec', 'groups'] },
  command: {},
  doas: { values: 'uC' },
  env: { values: 'uCS', long: ['unset', 'chdir', 'split-string'], scripts: ['S', 'split-string'] },
  exec: { values: 'a' },
  flock: { skip: 1, values: 'cwE', long: ['command', 'timeout', 'wait'], scripts: ['c', 'command'] },
  ionice: { values: 'cn', long: ['class', 'classdata'] },
  nice: { values: 'n', long: ['adjustment'] },
  nohup: {},
  npm: { verb: /^(exec|x)$/, values: 'c', long: ['call', 'package'], scripts: ['c', 'call'] },
  npx: { values: 'cpw', long: ['call', 'package', 'prefix', 'workspace'], scripts: ['c', 'call'] },
  parallel: { values: 'jaILnNSTCPsd', long: ['jobs', 'arg-file', 'colsep', 'delay'] },
  pipenv: { verb: /^run$/ },
  pnpm: { verb: /^(exec|dlx)$/, long: ['package'] },
  poetry: { verb: /^run$/ },
  setsid: {},
  stdbuf: { values: 'ioe', long: ['input', 'output', 'error'] },
  su: { skip: 1, values: 'cgGs', long: ['command', 'group', 'shell'], scripts: ['c', 'command'], isMixed: true },
  sudo: { values: 'CDghpRrTtUu', long: ['user', 'group', 'chdir', 'host', 'prompt', 'role', 'type'] },
  time: { values: 'fo', long: ['format', 'output'] },
  timeout: { skip: 1, values: 'ks', long: ['kill-after', 'signal'] },
  uv: { verb: /^run$/, long: ['with', 'python', 'project'] },
  xargs: {
    values: 'adEILnPs',
    long: ['arg-file', 'delimiter', 'max-args', 'max-lines', 'max-procs', 'max-chars', 'process-slot-var'],
  },
  yarn: { verb: /^(exec|dlx)$/ },
};

/** The programs and scripts that a program starts. @param input the text that the command itself gives it */
export function startedBy(name: string, args: readonly Field[], input: Field | null): Started {
  if (SHELLS.has(name)) return byShell(args, input);
  if (name === 'eval') return { ...NOTHING, scripts: [args.join(' ')], isWrapper: true };
  if (name === 'alias') return { ...NOTHING, scripts: args.flatMap((it) => /=([^]*)$/.exec(it)?.[1] ?? []) };
  if (name === '.' || name === 'source') return { ...NOTHING, fault: args.some(isDevice) ? READS : null };
  if (name === 'find') return { ...NOTHING, programs: byFind(args) };
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  const isQuestion = name === 'command' && /^-[vV]$/.test(args[0] ?? '');
  return wrapper === undefined || isQuestion ? NOTHING : byWrapper(name, args, wrapper);
}

const READS = 'a shell runs the text of its input';

/** An open file or a pipe, not a script. */
export function isDevice(word: Field): boolean {
  return /^\/(dev|proc)\//.test(word);
}

function byShell(args: readonly Field[], input: Field | null): Started {
  const { options, rest } = splitOptions(args, { values: 'oO', long: ['init-file', 'rcfile'] });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  if (args.some(isDevice)) return { ...NOTHING, fault: READS };
  if (has('c')) return { ...NOTHING, scripts: rest.slice(0, 1), isWrapper: true };
  if (rest.some((it) => it !== '-') && !has('s')) return NOTHING;
  if (input !== null) return { ...NOTHING, scripts: [input], isWrapper: true };
  return { ...NOTHING, fault: has('version', 'help', 'n') ? null : READS };
}

function byWrapper(name: string, args: readonly Field[], wrapper: Wrapper): Started {
  const at = wrapper.verb === undefined ? 0 : verbAt([name, ...args], wrapper.verb);
  if (at < 0) return NOTHING;
  const { options, rest } = splitOptions(args.slice(at), wrapper);
  const scripts = options.flatMap(({ name: option, value }) =>
    wrapper.scripts?.includes(option) === true ? [value ?? HOLE] : [],
  );
  const words = rest.slice(wrapper.skip ?? 0);
  const inner = words[0] === '-' ? words.slice(1) : words;
  const program = name === 'xargs' || name === 'parallel' ? withInput(inner, options) : inner;
  // many take the text of a script too
  if (/\s/.test(program[0] ?? '')) scripts.push(program.join(' '));
  return { ...NOTHING, programs: program.length === 0 ? [] : [program], scripts, isWrapper: true };
}

/** The program of `xargs` with what it takes from its input: at its end, or in place of a mark. */
function withInput(words: readonly Field[], options: readonly Option[]): readonly Field[] {
  const replaced = options.find((it) => /^(I|i|replace)$/.test(it.name));
  const mark = replaced?.value ?? '{}';
  if (replaced === undefined) return words.length === 0 ? [] : [...words, INPUT];
  return words.map((it) => it.replaceAll(mark, INPUT));
}

/** The programs behind `-exec`, with the path that `find` would find for each `{}`. */
function byFind(args: readonly Field[]): Field[][] {
  const { found } = findsIn(args);
  return args.flatMap((word, at) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word)) return [];
    const length = args.slice(at + 1).findIndex((it, n) => it === ';' || (it === '+' && args[at + n] === '{}'));
    const words = args.slice(at + 1, length < 0 ? args.length : at + 1 + length);
    const [program = HOLE] = words;
    // a file that is found and run may be any program
    if (program.includes('{}')) return [[HOLE]];
    return found.map((path) => words.map((it) => it.replaceAll('{}', path)));
  });
}

/** The folders in which `find` looks, and the paths that it may find: names below them, narrowed by `-name`. */
export function findsIn(args: readonly Field[]): { readonly folders: readonly Field[]; readonly found: Field[] } {
  const first = args.findIndex((it) => !/^-([HLPEXdsx]+|O\d*)$/.test(it));
  const words = first < 0 ? [] : args.slice(first);
  const test = words.findIndex((it) => /^[-(!]/.test(it));
  const named = test === 0 ? [] : words.slice(0, test < 0 ? words.length : test);
  const folders = named.length === 0 ? ['.'] : named;
  const at = words.findIndex((it) => /^-i?name$/.test(it));
  const isPlain = at >= 0 && !words.some((it) => /^(-or?|-not|!)$/.test(it));
  const name = isPlain ? `/${(words[at + 1] ?? '').replaceAll(/[*?]|\[[^\]]*\]/g, STAR)}` : '';
  return { folders, found: folders.map((it) => `${it.replace(/\/$/, '')}/${QUOTED_HOLE}${name}`) };
}

/** Whether a text can be read as a script: a name of a file is only data in it. */
export function isScript(text: Field): boolean {
  return isKnown(text.replaceAll(STAR, '').replaceAll(INPUT, ''));
}
