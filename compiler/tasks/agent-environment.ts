import { VadeError } from '../schema/errors.ts';

/** Variables that every program needs of its machine, and that reveal no secret. */
const PASSED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TERM', 'TZ'];

/** Names with which programs find credentials for repositories and registries, or an agent that holds some. */
const CREDENTIALS =
  /^(?:GIT_|SSH_|GH_|GITHUB_|GITLAB_|GL_|BITBUCKET_|VADE_|NPM_|NODE_AUTH_|CARGO_REGISTR|TWINE_|DOCKER_|AWS_|GOOGLE_APPLICATION|AZURE_)/i;

/** git reads neither the user's nor the machine's configuration, prompts nobody, and contacts no other machine. */
const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_SSH_COMMAND: '/bin/false',
  GIT_ALLOW_PROTOCOL: 'none',
  // an empty helper takes back those that the repository's own configuration names
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'credential.helper',
  GIT_CONFIG_VALUE_0: '',
} as const;

/**
 * The environment of an agent: its id for the gate, an empty home, and no credentials for git. A name is passed on only
 * if somebody names it, such as the key of the agent's own service.
 *
 * @param home a folder of this run alone
 * @throws argument_invalid for a name that holds credentials, or is not set
 */
export function agentEnvironment(
  { agent, home, temporary, pass }: AgentPlace,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const kept = PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const named = pass.map((name) => [name, valueOf(name, env)] as const);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(named),
    ...GIT,
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    TMPDIR: temporary,
    VADE_AGENT_ID: agent,
  };
}

interface AgentPlace {
  readonly agent: string;
  readonly home: string;
  readonly temporary: string;
  /** Names to pass on. */
  readonly pass: readonly string[];
}

/** Variables that decide how programs are found and loaded, and where they live: they cannot be passed on. */
const FIXED = /^(?:PATH|HOME|TMPDIR|XDG_.*|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|KEI_.*)$/i;

function valueOf(name: string, env: NodeJS.ProcessEnv): string {
  const refuse = (why: string) => new VadeError('argument_invalid', `--pass ${name}: ${why}`, { flag: 'pass' });
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw refuse('this is not a valid name of a variable');
  if (CREDENTIALS.test(name)) throw refuse('agents are started without credentials for repositories and registries');
  if (FIXED.test(name)) throw refuse('it is set for every agent alike');
  const value = env[name];
  if (value === undefined) throw refuse('it is not set');
  return value;
}

/** Lines of git's configuration with a password: in an address, in a section's name, in a header. */
const WITH_PASSWORD = [
  /^\s*(?:(?:push)?url|proxy)\s*=\s*"?[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/im,
  /^\s*\[url\s+"[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/im,
  // tokens of GitHub and GitLab may be a whole name of a user
  /:\/\/(?:gh[opsu]_|github_pat_|glpat-)[\w-]{8,}@/i,
  // as the action that checks out a repository leaves it
  /^\s*extraheader\s*=\s*"?authorization\s*:/im,
];

/** Whether a configuration of git holds a password, which every program in a worktree can read. */
export function holdsPassword(config: string): boolean {
  return WITH_PASSWORD.some((it) => it.test(config));
}
