import type { Options } from './words/options.ts';

/** A program that does nothing but run another one, given in its arguments. */
export interface Wrapper extends Options {
  /** Words between its options and the program. */
  readonly skip?: number;
  /** Whether `NAME=value` words may stand before the program. */
  readonly hasSettings?: boolean;
  /** A word that has to come first, such as `run` in `uv run`. */
  readonly verb?: RegExp;
}

const plain: Wrapper = {};

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: 'ugpCrtThUDR',
    long: ['user', 'group', 'prompt', 'chdir', 'host', 'role', 'type'],
    hasSettings: true,
  },
  doas: { values: 'uC' },
  pkexec: { long: ['user'] },
  timeout: { values: 'ks', long: ['signal', 'kill-after'], skip: 1 },
  gtimeout: { values: 'ks', long: ['signal', 'kill-after'], skip: 1 },
  nice: { values: 'n', long: ['adjustment'] },
  ionice: { values: 'cnpPu', long: ['class', 'classdata'] },
  nohup: plain,
  // words of zsh before a command
  '-': plain,
  noglob: plain,
  nocorrect: plain,
  setsid: plain,
  stdbuf: { values: 'ioe', long: ['input', 'output', 'error'] },
  chronic: plain,
  unbuffer: plain,
  busybox: plain,
  toybox: plain,
  chroot: { skip: 1, long: ['userspec', 'groups'] },
  unshare: { values: 'SG' },
  nsenter: { values: 'tSG', long: ['target'] },
  strace: { values: 'eopPsaIuEOSX' },
  ltrace: { values: 'eopsaunAlF' },
  valgrind: plain,
  taskset: { skip: 1 },
  chrt: { skip: 1, values: 'TPD' },
  numactl: { values: 'NmCipPlW' },
  prlimit: plain,
  setarch: plain,
  linux32: plain,
  linux64: plain,
  time: { values: 'fo', long: ['format', 'output'] },
  caffeinate: { values: 'tw' },
  arch: { values: 'deh' },
  'xvfb-run': { values: 'enpsfw' },
  'dbus-run-session': plain,
  gosu: { skip: 1 },
  newgrp: { skip: 1 },
  tmux: { values: 'cfLS' },
  'su-exec': { skip: 1 },
  setpriv: plain,
  catchsegv: plain,
  fakeroot: { values: 'lsib' },
  firejail: plain,
  proot: { values: 'rbwkq' },
  eatmydata: plain,
  torsocks: plain,
  torify: plain,
  proxychains: { values: 'f' },
  proxychains4: { values: 'f' },
  rlwrap: { values: 'abcCDefFghHiIlmMnNopPqrRsStuUvVwWxXyYzZ'.replace(/[acGhinNrRuvWxX]/g, '') },
  'dumb-init': { values: 'r' },
  tini: { values: 'pe' },
  'run-one': plain,
  'cross-env': { hasSettings: true },
  dotenv: { values: 'ev' },
  direnv: { verb: /^exec$/, skip: 1 },
  poetry: { verb: /^run$/ },
  pipenv: { verb: /^run$/ },
  uv: { verb: /^run$/, values: 'p', long: ['with', 'extra', 'group', 'python', 'env-file', 'directory', 'project'] },
  pdm: { verb: /^run$/ },
  hatch: { verb: /^run$/ },
  conda: { verb: /^run$/, values: 'np', long: ['name', 'prefix', 'cwd'] },
  bundle: { verb: /^exec$/ },
  rustup: { verb: /^run$/, skip: 1 },
  mise: { verb: /^(exec|x)$/ },
  asdf: { verb: /^exec$/ },
  npx: { values: 'pcw', long: 'package call workspace prefix cache registry loglevel userconfig shell'.split(' ') },
  bunx: { values: 'p', long: ['package'] },
  uvx: { values: 'p', long: 'from with python index index-url directory project env-file'.split(' ') },
  pipx: { verb: /^run$/ },
  pnpm: { verb: /^(exec|dlx)$/ },
  yarn: { verb: /^(exec|dlx)$/ },
  winpty: plain,
};
