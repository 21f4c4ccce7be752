import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/folder.ts';

/** A program that leaves a mark each time it runs. */
export interface Trap {
  readonly program: string;
  /** Commands that ran, a line each. */
  readonly marks: () => readonly string[];
}

export function trap(): Trap {
  const folder = tempFolder();
  const marks = join(folder, 'marks');
  const program = join(folder, 'trap.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${marks}'\nexit 0\n`);
  chmodSync(program, 0o755);
  return { program, marks: () => (existsSync(marks) ? readFileSync(marks, 'utf8').trim().split('\n') : []) };
}

/** Configuration in which every key that can name a program names this one, together with what makes git run it. */
export function programsOf({ program }: Trap, folder: string): string {
  const included = join(folder, 'included');
  writeFileSync(
    included,
    `[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}\n[gpg]\n\tprogram = ${program}\n`,
  );
  const keys: Record<string, Record<string, string>> = {
    core: {
      ...{ fsmonitor: program, sshCommand: program, gitProxy: program, askPass: program, editor: program },
      ...{ pager: program, hooksPath: join(folder, 'hooks'), alternateRefsCommand: program },
    },
    log: { showSignature: 'true', mailmap: 'true' },
    gpg: { program, format: 'openpgp' },
    'gpg "ssh"': { program, defaultKeyCommand: program, allowedSignersFile: included },
    'gpg "x509"': { program },
    'gpg "openpgp"': { program },
    diff: { external: program, tool: 'trap', guitool: 'trap' },
    'diff "trap"': { command: program, textconv: program },
    'filter "trap"': { clean: program, smudge: program, required: 'true' },
    'filter "daemon"': { process: program, required: 'true' },
    'merge "trap"': { driver: program },
    merge: { tool: 'trap' },
    'difftool "trap"': { cmd: program, path: program },
    'mergetool "trap"': { cmd: program, path: program },
    credential: { helper: `!${program}` },
    'credential "https://127.0.0.1"': { helper: program },
    alias: { log: `!${program}`, status: `!${program}`, 'rev-parse': `!${program}`, 'cat-file': `!${program}` },
    pager: { log: program, status: program, config: program, 'ls-tree': program, 'rev-list': program },
    sequence: { editor: program },
    interactive: { diffFilter: program },
    'trailer "co"': { key: 'Co-authored-by', command: program, cmd: program },
    'remote "origin"': {
      url: '127.0.0.1:nowhere.git',
      fetch: '+refs/heads/*:refs/remotes/origin/*',
      ...{ promisor: 'true', partialclonefilter: 'blob:none', uploadpack: program, receivepack: program, vcs: 'trap' },
    },
    'submodule "instructions/vendored"': { update: `!${program}`, url: `ext::${program}` },
    submodule: { recurse: 'true' },
    status: { submoduleSummary: 'true' },
    'protocol "ext"': { allow: 'always' },
    uploadpack: { packObjectsHook: program },
    'tar "trap"': { command: program },
    'hook "trap"': { command: program, event: 'reference-transaction' },
    web: { browser: program },
    help: { browser: 'trap' },
    'browser "trap"': { cmd: program },
    'man "trap"': { cmd: program },
    'guitool "trap"': { cmd: program },
    sendemail: { toCmd: program, ccCmd: program, smtpServer: program },
    init: { templateDir: folder },
    include: { path: included },
    'includeIf "gitdir:/"': { path: included },
  };
  const hooks = join(folder, 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(hooks, hook), readFileSync(program));
    chmodSync(join(hooks, hook), 0o755);
  }
  return Object.entries(keys)
    .map(([section, values]) => {
      const lines = Object.entries(values).map(([key, value]) => `\t${key} = ${JSON.stringify(value)}\n`);
      return `[${section}]\n${lines.join('')}`;
    })
    .join('');
}

const HOOKS = ['reference-transaction', 'post-index-change', 'pre-commit', 'post-commit', 'post-checkout', 'update'];

/**
 * Every key that this git knows, set to the program: where one of them is read, git runs it, or dies of its value. Only
 * how a repository is stored has to be known, and an unknown way is refused.
 */
export function everyKeyOf({ program }: Trap): string {
  const known = execFileSync('git', ['help', '--config-for-completion'], { encoding: 'utf8' }).trim().split('\n');
  return known
    .map((key) => key.replace(/\.$/, '.trap').split('.'))
    .filter(([section = '', ...rest]) => section !== 'extensions' && /^[a-z][a-z0-9-]*$/i.test(rest.at(-1) ?? ''))
    .map((parts) => {
      const [section = '', ...rest] = parts;
      const middle = rest.slice(0, -1).join('.');
      return `[${section}${middle === '' ? '' : ` "${middle}"`}]\n\t${rest.at(-1) ?? ''} = ${program}\n`;
    })
    .join('');
}

/** Every call of git, seen from outside: a `git` first in the path writes down its arguments, and goes on. */
export interface Recorder {
  /** The path to run under. */
  readonly path: string;
  readonly calls: () => readonly (readonly string[])[];
}

export function recorder(): Recorder {
  const folder = tempFolder();
  const log = join(folder, 'calls');
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\n{ printf '%s\\037' "$@"; printf '\\n'; } >> '${log}'\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    calls: () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\u001f\n') : [];
      return lines.filter((line) => line !== '').map((line) => line.split('\u001f'));
    },
  };
}

/** Adds to a repository's own configuration, whatever git would say of it. */
export function configure(gitFolder: string, text: string): void {
  appendFileSync(join(gitFolder, 'config'), text);
}
