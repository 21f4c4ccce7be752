import { delimiter, isAbsolute, join } from 'node:path';
import { below } from '../../capabilities/paths/real-path.ts';

/** Variables that a check may see: how text is written, where tools are. Anything else may be a secret. */
const ALLOWED = [
  'LANG',
  'LC_ALL',
  'TZ',
  'JAVA_HOME',
  'GOROOT',
  'PYENV_ROOT',
  'PYENV_VERSION',
  'RUSTUP_TOOLCHAIN',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];
/** Variables for fetching packages: only for commands that fetch, and only addresses without a name or password. */
const FETCHING = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'PIP_INDEX_URL', 'UV_INDEX_URL', 'GOPROXY', 'GOSUMDB', 'GONOSUMDB'],
  ...['CARGO_HTTP_CAINFO', 'PIP_CERT', 'REQUESTS_CA_BUNDLE'],
];

/** The folders of one run. */
export interface RunPlaces {
  /** Folder of the run; git does not look above it. */
  readonly run: string;
  /** An empty home, with nobody's keys. */
  readonly home: string;
  readonly temporary: string;
  /** Folders from which no program is run: the repository and the worktree. */
  readonly avoid: readonly string[];
}

/** The environment of one command of a check. @param mark finds the processes that it leaves behind */
export function checkEnvironment(
  env: NodeJS.ProcessEnv,
  { run, home, temporary, avoid }: RunPlaces,
  fetches: boolean,
  mark: string,
): Record<string, string> {
  const taken = [...ALLOWED, ...(fetches ? FETCHING : [])].flatMap((name) => {
    const value = env[name];
    return value === undefined || (FETCHING.includes(name) && hasSecret(value)) ? [] : [[name, value] as const];
  });
  const user = env['HOME'] ?? '';
  return {
    ...Object.fromEntries(taken),
    PATH: searchPath(env['PATH'] ?? '', avoid),
    HOME: home,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CARGO_HOME: join(home, '.cargo'),
    CARGO_TARGET_DIR: join(home, 'target'),
    // toolchains are programs, not secrets; they lie in the user's home
    ...(user === '' ? {} : { RUSTUP_HOME: env['RUSTUP_HOME'] ?? join(user, '.rustup') }),
    GOPATH: join(home, 'go'),
    GOCACHE: join(home, '.cache/go-build'),
    CI: '1',
    GIT_CEILING_DIRECTORIES: run,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    VADE_RUN: mark,
  };
}

/** `https://name:password@host`, or a query with a token. */
function hasSecret(address: string): boolean {
  return /@|[?&]\w*(?:token|key|auth)/i.test(address);
}

/** Absolute folders of PATH, without those that the agent could have written to. */
function searchPath(path: string, avoid: readonly string[]): string {
  const isAvoided = (it: string) => avoid.some((folder) => below(folder, it) !== null);
  return path
    .split(delimiter)
    .filter((it) => isAbsolute(it) && !isAvoided(it))
    .join(delimiter);
}
