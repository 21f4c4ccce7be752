import { FILE_TOOLS, KINDS, PATH_ARGUMENTS, type EventKind, type HostName } from './hosts.ts';
import { isObject, listOf, objectIn, type Json } from './json-values.ts';
import { promptIntent } from './prompt-intent.ts';

/** The source of a start. Only after `resume` does the model still have what hooks gave it before. */
export type StartSource = 'resume' | 'startup' | 'clear' | 'compact';

/** An event of a host that a hook answers. */
export type HostEvent = {
  /** The host's name of the event, which its answer repeats. */
  readonly name: string;
  /** The host's id of the session; empty if it has none. */
  readonly session: string;
  /** The host's id of the sub-agent that it is about, and its kind; empty in the session's own conversation. */
  readonly subagent: string;
  readonly subagentType: string;
} & (
  | { readonly kind: 'prompt'; /** The part of the prompt that is recalled. */ readonly intent: string }
  | { readonly kind: 'file'; readonly files: readonly string[] }
  | { readonly kind: 'start'; readonly source: StartSource }
  | { readonly kind: 'subagent' }
);

const SOURCES: readonly StartSource[] = ['resume', 'startup', 'clear', 'compact'];

/** A file of a patch, as Codex writes it into a tool or a shell command. */
const PATCHED = /^\*\*\* (?:Add|Update) File: (.+)$/gm;

/** More files of one patch are not compared. */
const MOST_FILES = 50;

/**
 * Reads what a host writes to a hook. Untrusted input.
 *
 * @returns null for an event that is not answered: a stop never is, since an answer would make the model go on
 */
export function readHostEvent(text: string): HostEvent | null {
  const fields = objectIn(text) ?? {};
  const name = textOf(fields['hook_event_name']);
  const kind = KINDS.get(name);
  const common = {
    name,
    session: textOf(fields['session_id']),
    subagent: textOf(fields['agent_id']),
    subagentType: textOf(fields['agent_type']),
  };
  return kind === undefined ? null : eventOf(kind, common, fields);
}

type Common = Pick<HostEvent, 'name' | 'session' | 'subagent' | 'subagentType'>;

function eventOf(kind: EventKind, common: Common, fields: Json): HostEvent | null {
  switch (kind) {
    case 'prompt': {
      // the words of another agent are no prompt of the user's
      const intent = common.subagent === '' ? promptIntent(textOf(fields['prompt'])) : null;
      return intent === null ? null : { ...common, kind, intent };
    }
    case 'file': {
      const files = filesOf(textOf(fields['tool_name']), fields['tool_input']);
      return files.length === 0 ? null : { ...common, kind, files };
    }
    case 'start':
      return { ...common, kind, source: SOURCES.find((it) => it === fields['source']) ?? 'startup' };
    case 'subagent':
      return { ...common, kind };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Files that a tool call is about: of a tool for files its path, of any other those of a patch in its arguments. */
function filesOf(tool: string, input: unknown): string[] {
  const given = isObject(input) ? input : {};
  if (FILE_TOOLS.has(tool)) return PATH_ARGUMENTS.map((it) => textOf(given[it])).filter((it) => it !== '');
  const texts = Object.values(given).flatMap((it) => [it, ...listOf(it)].map(textOf));
  const patched = texts.flatMap((it) => [...it.matchAll(PATCHED)].map(([, file = '']) => file.trim()));
  return [...new Set(patched)].slice(0, MOST_FILES);
}

/**
 * The answer by which a host adds a text to the context of its model.
 *
 * @param isCopilot whether Copilot runs a hook of Claude Code: it reads another member at most events
 */
export function contextAnswer({ name }: HostEvent, text: string, host: HostName, isCopilot: boolean): string {
  if (host === 'cursor') return JSON.stringify({ additional_context: text });
  const nested = { hookSpecificOutput: { hookEventName: name, additionalContext: text } };
  // Codex refuses a member that it does not know
  return JSON.stringify(isCopilot ? { additionalContext: text, ...nested } : nested);
}
