import { resolve } from 'node:path';
import { z } from 'zod';
import { auditPlaceFrom } from '../../../app/world/audit-place.ts';
import { hubOf } from '../../../app/world/model-hub.ts';
import { pinnedRoot } from '../../../app/world/trust-keys.ts';
import { type World } from '../../../app/world/world.ts';
import { Outcome, RecallResponse } from '../../../schema/api/recall.ts';
import type { AuditRecord } from '../../../schema/audit/record.ts';
import { VadeError } from '../../../schema/errors.ts';
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
    const { openBundle } = await import('../../../io/bundle/open-bundle.ts');
    const { openQueries } = await import('../../../io/models/encoder.ts');
    const { performHere } = await import('../../../../server/local.ts');
    const belief = { pinned: pinnedRoot(args, world), now: world.now().toISOString() };
    const bundle = openBundle(resolve(world.cwd, args.bundle), belief);
    const queries = await openQueries(bundle.org.model, resolve(world.cwd, args.models), hubOf(world));
    const caller = {
      bundle,
      queries,
      agent: args.agent,
      now: () => world.now().getTime(),
      audit: auditOf(args, world),
      onRow: ({ left_out, content_digests }: AuditRecord) => {
        world.detail(`${left_out.length} left out; digests ${content_digests.join(' ')}`);
      },
    };
    const query = { explain: String(args.explain) };
    const result = await performHere('recallInstruction', caller, { query, body }).catch(asArgumentError);
    const answer = RecallResponse.parse(result);
    const { explanationLines } = await import('../../../present/terminal/explanation.ts');
    const why = answer.explain ? explanationLines(answer.explain) : [];
    const data = args.audit === undefined ? { ...answer, audit_token: null } : answer;
    return { data, text: [toText(answer), ...why].join('\n') };
  },
});

/** An invalid request is an invalid argument here: the flags are the request. */
function asArgumentError(error: unknown): never {
  if (!(error instanceof VadeError) || error.code !== 'request_invalid') throw error;
  throw new VadeError('argument_invalid', error.message, error.details);
}

interface AuditFlags {
  readonly audit: string | undefined;
  readonly state: string | undefined;
}

function auditOf({ audit, state }: AuditFlags, world: World) {
  if (audit === undefined) return null;
  const { VADE_AUDIT_KEY: auditKey, VADE_CHECKPOINT_KEY: checkpointKey } = world.env;
  return { ...auditPlaceFrom({ audit, state }, world), auditKey, checkpointKey, now: () => world.now().getTime() };
}

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
