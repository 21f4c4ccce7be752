import { z } from 'zod';
import { Outcome, RecallResponse } from '../../../schema/api/recall.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { RECALL } from '../../../world/flags/quality.ts';
import { type World } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { readJson } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';

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
  flags: RECALL,
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

type RequestFlags = Arguments<typeof RECALL>;

/** The request as HTTP would carry it: from the flags or from a file. */
async function requestOf(args: RequestFlags, world: World): Promise<unknown> {
  const file = args['input-file'];
  if (file !== undefined) return readJson(file, world);
  const { intent, candidates, hint: manifest_hint, files } = args;
  const limits = { max_chunks: args['max-chunks'], token_budget: args['token-budget'] };
  return { intent, ...limits, candidates, manifest_hint, files };
}

function toText(answer: RecallResponse): string {
  const { chunks, total_tokens, candidates = [], more_candidates = 0, by_files: by, unavailable = [] } = answer;
  return [
    ...chunks.map((it) => `── ${it.name} ${it.version}  (score ${it.score})\n${it.content}${it.note ?? ''}`),
    ...candidates.map((it) => `or --hint ${it.name}: ${it.description}`),
    ...(more_candidates > 0 ? [`${more_candidates} more do not fit the budget for candidates`] : []),
    ...(by ? [`${by.name} is returned for a file: ${by.pattern} matches ${by.file}`] : []),
    ...unavailable.map((it) => `the guaranteed unit ${it.name} is missing: ${it.outcome}`),
    `${chunks.length} units, ${total_tokens} tokens`,
  ].join('\n');
}

/** Why each unit is returned or not, where that was asked for. */
async function reasonsOf({ explain }: RecallResponse): Promise<string[]> {
  if (!explain) return [];
  const { explanationLines } = await import('../../../present/terminal/explanation.ts');
  return explanationLines(explain);
}
