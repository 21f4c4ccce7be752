import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { ModelRequest } from './stand-in-model.ts';

/** The prefix of the server's tools, as the host calls them. */
export const TOOLS = 'mcp__vademecum__';

/** Tokens of all that the product put into a request, each thing once. */
export type SessionParts = Readonly<Record<'instructions' | 'tools' | 'contexts' | 'calls' | 'answers', number>>;

/** Text of this host before a server's instructions and a hook's context. */
const INSTRUCTIONS = /## vademecum\n([^\n]+)/;
const CONTEXT =
  /\w+ hook additional context: ([\s\S]*?)(?=\n\n(?:Available agent types|\w+ hook additional context)|<\/system-reminder>|$)/g;

/** @throws if the instructions or all contexts are missing: this host writes them otherwise */
export function partsOf(request: ModelRequest): SessionParts {
  const text = wholeText(request);
  const [, instructions] = INSTRUCTIONS.exec(text) ?? [];
  const contexts = contextsIn(text);
  if (instructions === undefined || contexts.length === 0) throw new Error(`nothing of the server in: ${text}`);
  const own = request.tools.filter(({ name }) => name.startsWith(TOOLS));
  const calls = blocksOf(request).filter(({ type, name }) => type === 'tool_use' && name.startsWith(TOOLS));
  return {
    instructions: countTokens(instructions),
    tools: sum(own.map((it) => JSON.stringify(it))),
    contexts: sum(contexts),
    calls: sum(calls.map(({ name, input }) => JSON.stringify({ name, input }))),
    answers: sum(answersIn(request)),
  };
}

/** All that the model reads but the tools. */
export const wholeText = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ content }) => content)].map(textOf).join('\n');

/** The contexts of hooks in such a text. */
export const contextsIn = (text: string): string[] => [...text.matchAll(CONTEXT)].map(([, context = '']) => context);

/** The answers of tools, in their order, as the model reads them. */
export function answersIn(request: ModelRequest): string[] {
  return blocksOf(request).flatMap(({ type, content = '' }) => (type === 'tool_result' ? [textOf(content)] : []));
}

function blocksOf({ messages }: ModelRequest) {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
}

function textOf(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}

const sum = (texts: readonly string[]) => texts.reduce((all, it) => all + countTokens(it), 0);
