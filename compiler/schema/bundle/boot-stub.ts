import { z } from 'zod';
import { MigrationMode } from '../source/agent.ts';
import { STUB_VERSION } from './stub-version.ts';

/** §21.1.2: the token limit of a stub's body, and the target above which authors are warned. */
export const STUB_TOKEN_BUDGET = 500;
export const STUB_TOKEN_TARGET = 450;

/** The stub of a host that has the tools of MCP: without front matter and schema (compiler/README.md §6.15). */
export const MCP_PROFILE = 'mcp';

/** §21.1.3; an unknown profile is delivered as `generic`. */
export const PROFILES = ['generic', MCP_PROFILE, 'openai-assistants', 'paperclip-claude-code'] as const;
export type Profile = (typeof PROFILES)[number];

/** §21.1.1 and §21.1.2: the front matter of a boot stub. */
export const StubHeader = z.strictObject({
  agent_id: z.string(),
  agent_role: z.string(),
  heartbeat_contract: z.string(),
  manifest_uri: z.string(),
  stub_version: z.literal(STUB_VERSION),
  generated_at: z.string(),
  adapter_profile: z.string(),
  migration_mode: MigrationMode,
  recall_tool_schema: z.record(z.string(), z.unknown()),
});

/** The profiles that every agent has, and those that `agent.yaml` names. */
export function profilesOf(named: readonly string[]): Profile[] {
  return PROFILES.filter((it) => it === 'generic' || it === MCP_PROFILE || named.includes(it));
}

export type StubHeader = z.infer<typeof StubHeader>;

/** A rendered boot stub: the whole document, and the cl100k tokens of its body. */
export interface Stub {
  readonly profile: Profile;
  readonly text: string;
  readonly token_count: number;
}
