import { resolve } from 'node:path';
import { z } from 'zod';
import { VadeError } from '../../model/errors.ts';
import { limitWording, valueAt } from '../../model/issues.ts';
import { hasNoIntent, Outcome, RecallRequest, RecallResponse } from '../../model/recall.ts';
import { readJson } from '../input.ts';
import { hubOf, MODELS } from '../models.ts';
import { BUNDLE_FLAGS, defineCommand, type World } from '../registry.ts';
import { pinnedRoot } from '../trust.ts';

/** In short, as the manifest tells it: the whole shape is Explanation. */
const Explained = z.looseObject({
  units: z.array(
    z.looseObject({ name: z.string(), outcome: Outcome, rank: z.int().nullable(), place: z.int().nullable() }),
  ),
});

export const recallCommand = defineCommand({
  path: 'recall',
  description: 'Answer an intent from a bundle, as the server would',
  danger: 'safe',
  oneOf: [['intent', 'input-file']],
  flags: {
    agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
    intent: { type: 'string', description: 'What the agent is about to do; this or --input-file' },
    'input-file': { type: 'string', description: 'JSON request instead of --intent and its like; - for stdin' },
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
      description: 'Every unit with its scores, and why it is in or out',
    },
    models: MODELS,
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
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
    const request = checkedRequest(await requestOf(args, world));
    const { openBundle } = await import('../../edge/bundle.ts');
    const { findGarden, loadGarden, loadShared } = await import('../../edge/garden.ts');
    const { openQueries } = await import('../../edge/encoder.ts');
    const { recall } = await import('../../recall/recall.ts');
    const now = world.now().toISOString();
    const bundle = openBundle(resolve(world.cwd, args.bundle), {
      pinned: pinnedRoot(args, world),
      now,
    });
    const name = findGarden(bundle, args.agent);
    if (name === null) throw new VadeError('agent_not_found', `the bundle has no agent ${args.agent}`);
    const { inForce } = await import('../inforce.ts');
    const garden = inForce(bundle)(loadGarden(bundle, name, loadShared(bundle)).recall);
    const queries = await openQueries(bundle.org.model, resolve(world.cwd, args.models), hubOf(world));
    const query = await queries(request.intent, garden.index);
    const asked = { now, query, explain: args.explain };
    const { left_out, content_digests, ...answer } = recall(garden, request, asked);
    world.detail(`${left_out.length} left out; digests ${content_digests.join(' ')}`);
    const { explanationLines } = await import('../../present/explanation.ts');
    const why = answer.explain ? explanationLines(answer.explain) : [];
    return { data: { ...answer, audit_token: null }, text: [toText(answer), ...why].join('\n') };
  },
});

interface Asked {
  readonly intent: string | undefined;
  readonly hint: readonly string[];
  readonly 'input-file': string | undefined;
  readonly 'max-chunks': number;
  readonly 'token-budget': number;
}

/** The request as it would come over HTTP: from the flags, or whole from a file. */
async function requestOf(args: Asked, world: World): Promise<unknown> {
  const file = args['input-file'];
  if (file !== undefined) return readJson(file, world);
  const { intent, hint: manifest_hint } = args;
  return { intent, max_chunks: args['max-chunks'], token_budget: args['token-budget'], manifest_hint };
}

function checkedRequest(input: unknown): RecallRequest {
  if (hasNoIntent(input)) throw new VadeError('intent_required', 'the intent is blank');
  const parsed = RecallRequest.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((it) => {
    const message = limitWording(it, valueAt(input, it.path))?.message ?? it.message;
    return `${it.path.join('.')}: ${message}`;
  });
  throw new VadeError('argument_invalid', faults.join('; '), { faults });
}

function toText(answer: {
  chunks: readonly { name: string; version: string; score: number; content: string }[];
  total_tokens: number;
}): string {
  const chunks = answer.chunks.map((it) => `── ${it.name} ${it.version}  (score ${it.score})\n${it.content}`);
  return [...chunks, `${answer.chunks.length} units, ${answer.total_tokens} tokens`].join('\n');
}
