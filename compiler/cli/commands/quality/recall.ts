import { z } from 'zod';
import { type World } from '../../../app/world/world.ts';
import { Outcome, RecallResponse } from '../../../schema/api/recall.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { MODELS } from '../../flags.ts';
import { readJson } from '../../json-input.ts';
import { BUNDLE_FLAGS, defineCommand } from '../../registry.ts';

/** Short, since the manifest pays for tokens; the full shape is Explanation. */
const Explained = z.looseObject({
  units: z.array(
    z.looseObject({ name: z.string(), outcome: Outcome, rank: z.int().nullable(), place: z.int().nullable() }),
  ),
});

export const recallCommand = defineCommand({
  path: 'recall',
  description: 'Answer an intent from a bundle, as the server would',
  // --audit writes a row
  danger: 'mutating',
  oneOf: [['intent', 'input-file']],
  flags: {
    agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
    intent: { type: 'string', description: 'What the agent is about to do; this or --input-file' },
    'input-file': { type: 'string', description: 'JSON request instead of the flags; - for stdin' },
    'max-chunks': {
      type: 'integer',
      default: 3,
      min: 1,
      max: 50,
      description: 'Units to return at most',
    },
    'token-budget': {
      type: 'integer',
      default: 2000,
      min: 1,
      max: 100_000,
      description: 'Soft budget in tokens',
    },
    hint: { type: 'array', description: 'Unit to load first, by name or URI; may be repeated' },
    explain: {
      type: 'boolean',
      description: 'Every unit with its scores, and why it is returned or not',
    },
    audit: { type: 'string', description: 'Audit that records the answer; default: none' },
    state: { type: 'string', description: 'Start of the names of its spool and keys' },
    models: MODELS,
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: RecallResponse.extend({ explain: Explained.optional() }),
  examples: [
    {
      description: 'Ask as the cto',
      command: 'vade recall --dev --agent cto --intent "about to merge a risky change"',
    },
    {
      description: 'See why',
      command: 'vade recall --dev --agent cto --intent "done for today" --explain',
    },
  ],
  run: async (args, world) => {
    const body = await requestOf(args, world);
    const { recallHere } = await import('../../../app/recall.ts');
    const answer = await recallHere(args, body, world);
    return { data: answer, text: [toText(answer), ...(await reasonsOf(answer))].join('\n') };
  },
});

interface RequestFlags {
  readonly intent: string | undefined;
  readonly hint: readonly string[];
  readonly 'input-file': string | undefined;
  readonly 'max-chunks': number;
  readonly 'token-budget': number;
}

/** The request as HTTP would carry it: from the flags or from a file. */
async function requestOf(args: RequestFlags, world: World): Promise<unknown> {
  const file = args['input-file'];
  if (file !== undefined) return readJson(file, world);
  const { intent, hint: manifest_hint } = args;
  return { intent, max_chunks: args['max-chunks'], token_budget: args['token-budget'], manifest_hint };
}

function toText(answer: {
  chunks: readonly { name: string; version: string; score: number; content: string }[];
  total_tokens: number;
}): string {
  const chunks = answer.chunks.map((it) => `── ${it.name} ${it.version}  (score ${it.score})\n${it.content}`);
  return [...chunks, `${answer.chunks.length} units, ${answer.total_tokens} tokens`].join('\n');
}

/** Why each unit is returned or not, where that was asked for. */
async function reasonsOf({ explain }: RecallResponse): Promise<string[]> {
  if (!explain) return [];
  const { explanationLines } = await import('../../../present/terminal/explanation.ts');
  return explanationLines(explain);
}
