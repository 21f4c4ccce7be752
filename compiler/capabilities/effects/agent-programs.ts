import type { Invocation } from '../shell/command.ts';
import { meantProgram, verbsOf } from './meant-program.ts';

/** Programs that start an agent; of those with a verb of their own only that one does. */
const AGENTS: readonly (readonly [program: RegExp, verbs: RegExp | null])[] = [
  [
    /^(claude|claude-code|codex|gemini|gemini-cli|qwen|aider|aider-chat|cursor-agent|opencode|opencode-ai|copilot|auggie|cline)$/,
    null,
  ],
  [/^(amp|crush|droid|goose|kiro-cli|q)$/, /^(exec|run|session|chat|execute|threads continue|-)/],
  [/^ollama$/, /^launch( |$)/],
  [/^gh$/, /^(copilot|agent-task create|models run)/],
  [/^(cagent|swe-agent|sweagent|openhands|plandex)$/, /^(run|exec|serve|tell|continue|build)/],
];
/** Arguments that make such a program print information about itself, without an agent. */
const QUESTION = /^(--version|-v|-V|--help|-h)$/;
const TELLS =
  /^(mcp (list|get)|config (list|get|ls)|doctor|auth status|features list|plugins? (list|validate)|models?( list)?|agents? list)( |$)/;

/** Whether a program would start an agent that no gate knows. */
export function startsAgent(invocation: Invocation): boolean {
  const { program, args } = meantProgram(invocation);
  const found = AGENTS.find(([pattern]) => pattern.test(program));
  if (found === undefined || args.some((it) => QUESTION.test(it))) return false;
  const [, verbs] = found;
  const given = verbsOf(args);
  return verbs === null ? !given.some((it) => TELLS.test(it)) : given.some((it) => verbs.test(it));
}
