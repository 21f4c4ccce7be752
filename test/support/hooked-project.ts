import { join } from 'node:path';
import type { HOOK } from '../../compiler/app/flags/hook.ts';
import { runHook } from '../../compiler/app/hook/run-hook.ts';
import type { Arguments } from '../../compiler/world/flags/flag.ts';
import { vade } from './cli.ts';
import { repository, type Repository } from './repository.ts';
import { worldIn } from './world.ts';

/** The units of the agent: a description, a trigger, more of the front matter, and a text. */
const UNITS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  payments: [
    'How to change the payment code',
    'change how cards are charged',
    "files: ['src/pay/**']",
    'Amounts are in cents.',
  ],
  typescript: ['How TypeScript is written here', 'write a type', "files: ['**/*.ts']", 'No any.'],
  rules: [
    'What may be told about customers',
    'repeat what somebody wrote in private',
    'guarantee_load: true',
    'Names and letters of people stay secret.',
  ],
  refunds: [
    'How money goes back to a customer',
    'give the customer their money back',
    '',
    'Ask a second person first.',
  ],
  release: ['How a release is made', 'ship a new version to production', '', 'Tag it, then wait for the canary.'],
};

/** A project with a compiled handbook, and `vade hook` in it. */
export interface HookedProject {
  readonly repo: Repository;
  /** The context that the host's model gets for an event; null for none. */
  readonly hook: (event: object, flags?: Partial<Arguments<typeof HOOK>>, cwd?: string) => Promise<string | null>;
}

export const FLAGS: Arguments<typeof HOOK> = {
  ...{ agent: 'assistant', host: 'claude-code', subagent: [], intents: 'digest', continuity: undefined },
  ...{ models: '.vade/models', bundle: 'bundle', trust: undefined, dev: true },
};

/** A project whose agent has a guaranteed unit, two units about files, and two others. */
export async function hookedProject(): Promise<HookedProject> {
  const repo = repository();
  await ran(['init', '--deployment', 'acme', '--no-admin'], repo.path);
  for (const [name, unit] of Object.entries(UNITS))
    repo.write(`instructions/agents/assistant/${name}.md`, textOf(name, unit));
  repo.commit('the handbook');
  await ran(['compile', '--dev'], repo.path);
  return {
    repo,
    hook: async (event, flags = {}, cwd = repo.path) => {
      const input = JSON.stringify({ session_id: 'one', ...event });
      const answer = await runHook({ ...FLAGS, ...flags }, input, worldIn(cwd, new Date('2026-11-30T12:00:00Z')));
      return answer === '' ? null : contextOf(answer);
    },
  };
}

function textOf(name: string, [description, trigger, more, text]: readonly [string, string, string, string]): string {
  return `---\ndescription: ${description}\nload_triggers:\n  intents: [${trigger}]\n${more === '' ? '' : `${more}\n`}---\n\n# ${name}\n\n${text}\n`;
}

async function ran(args: readonly string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await vade(args, cwd);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
}

function contextOf(answer: string): string {
  return (JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
    .additionalContext;
}

/** An event before a tool writes a file of the project. */
export const writing = ({ repo }: HookedProject, file: string, more: object = {}) => ({
  ...{ hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: join(repo.path, file) } },
  ...more,
});
