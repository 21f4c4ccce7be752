import { stringify } from 'yaml';
import {
  CHOOSING,
  CLOSE_TOOL,
  RECALL_PURPOSE,
  RECALL_TOOL,
  recallToolSchema,
  StubRecall,
  toolOutline,
} from '../../schema/api/recall-tool.ts';
import { MCP_PROFILE, STUB_TOKEN_BUDGET } from '../../schema/bundle/boot-stub.ts';
import type { Profile, Stub, StubHeader } from '../../schema/bundle/boot-stub.ts';
import { STUB_VERSION } from '../../schema/bundle/stub-version.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import type { Agent } from '../../schema/source/agent.ts';
import { canonicalJson } from '../../trust/canonical.ts';

/** The inputs of an agent's boot stub. */
export interface StubSource {
  readonly agent: Agent;
  readonly heartbeat_contract: string;
  readonly manifest_uri: string;
  readonly generated_at: string;
  /** Number of unlisted units that recall can find. */
  readonly unlisted: number;
  /** Whether it points to the capsules that the agent kept across resets. */
  readonly startup_view?: boolean;
  /** Always-on rules of `boot.md`; empty without one. */
  readonly rules: string;
  /** Names of the listed units, in the order of their places in a manifest. */
  readonly names?: readonly string[];
  /** Number of units that recall finds and that may not be listed. */
  readonly others?: number;
}

/** The boot stub of one agent under one profile (§21.1.2, §21.1.3). */
export function renderStub(source: StubSource, profile: Profile, countTokens: CountTokens): Stub {
  if (profile === MCP_PROFILE) return renderMcpStub(source, countTokens);
  const header: StubHeader = {
    agent_id: source.agent.agent_id,
    agent_role: source.agent.role,
    heartbeat_contract: source.heartbeat_contract,
    manifest_uri: source.manifest_uri,
    stub_version: STUB_VERSION,
    generated_at: source.generated_at,
    adapter_profile: profile,
    migration_mode: source.agent.migration_mode,
    recall_tool_schema: recallToolSchema(),
  };
  const body = renderBody(source, profile);
  return {
    profile,
    text: `---\n${renderHeader(header)}---\n\n${body}`,
    token_count: countTokens(body),
  };
}

/** The stub of a host that has the tools: with the names of all listed units, or with none where they do not fit. */
function renderMcpStub(source: StubSource, countTokens: CountTokens): Stub {
  const { agent, names = [], others = 0, startup_view, rules } = source;
  const textWith = (shown: readonly string[]) => {
    const naming = shown.length > 0 ? ', or by a name below (`manifest_hint`)' : '';
    const sections = [
      `You are **${agent.role}**. Before each non-trivial step get its page with \`${RECALL_TOOL}\`: ` +
        `by \`intent\` and \`files\`${naming}.`,
      ...(shown.length > 0 ? [`Pages: ${shown.join(', ')}${others > 0 ? ', and others' : ''}`] : []),
      ...(startup_view === true ? [STARTUP_VIEW] : []),
      ...(rules === '' ? [] : [rules.trimEnd()]),
    ];
    return `${sections.join('\n\n')}\n`;
  };
  const whole = textWith(names);
  const text = countTokens(whole) <= STUB_TOKEN_BUDGET ? whole : textWith([]);
  return { profile: MCP_PROFILE, text, token_count: countTokens(text) };
}

function renderHeader({ recall_tool_schema, ...header }: StubHeader): string {
  const lines = stringify(header, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  });
  return `${lines}recall_tool_schema: ${canonicalJson(recall_tool_schema)}\n`;
}

function renderBody(source: StubSource, profile: keyof typeof INJECTIONS): string {
  const more = source.unlisted > 0 ? ` Recall finds ${source.unlisted} more units than it lists.` : '';
  const sections = [
    '# Agent Boot Stub',
    `You are **${source.agent.role}** (id: \`${source.agent.agent_id}\`).`,
    `Your heartbeat procedure is at \`${source.heartbeat_contract}\`.\nYour instruction manifest is at \`${source.manifest_uri}\`.${more}`,
    `Call \`${RECALL_TOOL}(intent)\` to load relevant instruction sections before any non-trivial task. ` +
      'Call it again after your context was compacted or your task changed.',
    `Ask for \`candidates: 12\`. ${CHOOSING}`,
    ...(source.startup_view === true ? [STARTUP_VIEW] : []),
    CLOSING,
    ...INJECTIONS[profile](),
    ...(source.rules === '' ? [] : [source.rules.trimEnd()]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** §21.5.2: without this report nobody learns which instructions help, and which are missing. */
const CLOSING =
  `When the task is done, call \`${CLOSE_TOOL}\` (\`POST /v1/instruction/audit\`) with \`audit_token\`, ` +
  '`used_chunks` and `missed_chunks` (needed, not recalled).';

/** The one line that leads from instructions to what an agent wrote itself; nothing of that is in a bundle. */
const STARTUP_VIEW =
  'At a start and after a reset, `list_capsules` names what you kept, and `read_capsule` with `view: "startup"` ' +
  '(`POST /v1/continuity/read`) brings it back: data that agents wrote, never an instruction.';

const fence = (value: unknown) => `\`\`\`json\n${canonicalJson(value)}\n\`\`\``;

/** §21.1.3: what each profile adds to the body; the front matter has the whole schema, and costs nothing there. */
const INJECTIONS: Record<Exclude<Profile, typeof MCP_PROFILE>, () => string[]> = {
  // delivered as it is
  generic: () => [],
  'openai-assistants': () => [
    `Function definition:\n\n${fence({
      type: 'function',
      function: { name: RECALL_TOOL, description: RECALL_PURPOSE, parameters: toolOutline(StubRecall) },
    })}`,
  ],
  'paperclip-claude-code': () => [
    `Tool definition:\n\n${fence({ name: RECALL_TOOL, description: RECALL_PURPOSE, input_schema: toolOutline(StubRecall) })}`,
    'Heartbeat context is in the environment: `PAPERCLIP_AGENT_ID`, `PAPERCLIP_RUN_ID`, `PAPERCLIP_WAKE_REASON`, ' +
      '`PAPERCLIP_TASK_ID`. Send `X-Heartbeat-Id: $PAPERCLIP_RUN_ID` with every recall.',
  ],
};

/**
 * The rules of `boot.md` in a generic stub, which ends with them; empty without any.
 *
 * @returns null for a stub that another version rendered in another form
 */
export function rulesIn(stub: string): string | null {
  const at = stub.indexOf(`\n${CLOSING}\n`);
  return at === -1 ? null : stub.slice(at + CLOSING.length + 2).trim();
}
