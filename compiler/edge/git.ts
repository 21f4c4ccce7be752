import { simpleGit, type SimpleGit } from 'simple-git';

/** Runs git in one repository: arguments, and what to write to its standard input. */
export interface Git {
  readonly text: (args: readonly string[], input?: string) => Promise<string>;
  readonly bytes: (args: readonly string[], input: string) => Promise<Buffer>;
}

/**
 * Git without anything a user, a machine or a pull request could configure (DESIGN §6.2): no user or
 * system configuration, no replace refs, no file system monitor, no pager, no hooks, literal paths, plain C locale.
 *
 * @param more environment of a caller that writes: its index, and who commits when
 */
export function hermeticGit(folder: string, more: Readonly<Record<string, string>> = {}): Git {
  const environment: Record<string, string> = {
    ...more,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
  let stdin: string | undefined;
  const git: SimpleGit = simpleGit({
    baseDir: folder,
    maxConcurrentProcesses: 1,
    allowEnvironment: Object.keys(environment),
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true },
    config: [
      'i18n.logOutputEncoding=UTF-8',
      'i18n.commitEncoding=UTF-8',
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'core.quotepath=false',
      'log.showRoot=true',
      'safe.directory=*',
    ],
    input: () => stdin,
  }).env({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...environment });
  return {
    text: (args, input) => {
      stdin = input;
      return git.raw([...args]);
    },
    bytes: async ([command = '', ...args], input) => {
      stdin = input;
      if (command !== 'cat-file') throw new TypeError(`git ${command} has no binary form here`);
      return (await git.binaryCatFile(args)) as Buffer;
    },
  };
}
