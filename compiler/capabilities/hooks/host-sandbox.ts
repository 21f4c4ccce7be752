import { isObject, type Json } from '../../hosts/json-values.ts';

/**
 * Whether the host confines the commands of its agents: always (`on`), unless an agent requests otherwise, or not
 * (`off`).
 */
export type HostSandbox = 'off' | 'on' | 'with_exceptions';

/** Files and folders of a home that may hold keys. */
const SECRETS = ['.ssh', '.gnupg', '.aws', '.kube', '.docker', '.config/gh', '.netrc', '.npmrc', '.git-credentials'];

/**
 * Settings of Claude Code's own sandbox, for agents that the host starts (`vade task spawn`). A command may then write
 * to its working directory alone; the lists protect the files that guard the agent, if they lie there. Two slashes mean
 * an absolute path.
 *
 * @param protectedPaths absolute paths: `.git`, the gate's folder, the settings
 */
export function proposedSandbox(protectedPaths: readonly string[]): Json {
  return {
    sandbox: {
      enabled: true,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
      excludedCommands: [],
      filesystem: {
        denyWrite: protectedPaths.map((it) => `/${it}`),
        denyRead: SECRETS.map((it) => `~/${it}`),
      },
    },
  };
}

/** The state of Claude Code's sandbox according to its settings. */
export function hostSandboxOf({ sandbox }: Json): HostSandbox {
  if (!isObject(sandbox)) return 'off';
  const { enabled, allowUnsandboxedCommands: escape, excludedCommands: excluded = [] } = sandbox;
  if (enabled !== true) return 'off';
  return escape === false && Array.isArray(excluded) && excluded.length === 0 ? 'on' : 'with_exceptions';
}
