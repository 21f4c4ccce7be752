import { z } from 'zod';
import { MODEL_PIN } from '../../../app/flags/sources.ts';
import type { PinnedModel } from '../../../app/model/pin-model.ts';
import { MODEL_FILES, MODEL_MODES } from '../../../schema/source/org.ts';
import { defineCommand } from '../../registry.ts';

const Found = z.object({ passed: z.int(), hit_at_1: z.number(), coverage_at_k: z.number() });

export const modelPinCommand = defineCommand({
  path: 'model.pin',
  description: 'Pin a sentence encoder in org.yaml, and report its cost and what the probes gain',
  danger: 'mutating',
  flags: MODEL_PIN,
  operand: 'name',
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    file: z.string(),
    name: z.string(),
    revision: z.string(),
    files: z.record(z.string(), z.string()),
    mode: z.enum(MODEL_MODES),
    licence: z.string().nullable(),
    bytes: z.int(),
    query_ms: z.object({ now: z.number(), before: z.number().nullable() }),
    probes: z.array(z.looseObject({ agent: z.string(), probes: z.int(), k: z.int(), before: Found, after: Found })),
  }),
  examples: [
    { description: 'A model of the hub', command: 'vade model pin Xenova/all-MiniLM-L6-v2' },
    {
      description: 'From a mirror, together with the built-in table',
      command: 'vade model pin Xenova/all-MiniLM-L6-v2 --from https://hub.example --mode with_builtin',
    },
  ],
  run: async (args, world) => {
    const { pinModel } = await import('../../../app/model/pin-model.ts');
    const pinned = await pinModel(args, world);
    const done = pinned.changed ? ('update' as const) : ('noop' as const);
    const effect = args['dry-run'] ? `would_${done}` : done === 'update' ? 'updated' : done;
    const { file, choice, licence, bytes, query_ms, probes } = pinned;
    const { name, revision, files, mode = 'alone' } = choice;
    const data = { effect, file, name, revision, files, mode, licence, bytes, query_ms, probes };
    return { data, text: [`${effect}: ${file}`, ...toLines(pinned)] };
  },
});

function toLines({ choice, licence, bytes, query_ms, probes }: PinnedModel): string[] {
  const { name, revision, files, mode = 'alone' } = choice;
  const before = query_ms.before === null ? '' : ` (today’s encoder: ${inMs(query_ms.before)})`;
  return [
    `${name} at ${revision ?? ''}, ${mode === 'alone' ? 'alone' : 'with the built-in table, half each'}`,
    ...MODEL_FILES.map((file) => `  ${files?.[file] ?? ''}  ${file}`),
    `licence: ${licence ?? 'its card names none; read it before you ship the model'}`,
    `size: ${(bytes / 1e6).toFixed(1)} MB`,
    `cost: ${inMs(query_ms.now)} a query, measured now${before}`,
    ...(probes.length > 0
      ? probes.map(toLine)
      : ['no probes, so the gain is unknown; vade probe says how to write some']),
  ];
}

const inMs = (time: number) => `${time.toPrecision(2)} ms`;

function toLine({ agent, probes, uncounted, k, before, after, won, lost }: PinnedModel['probes'][number]): string {
  const changed = [...won.map((it) => `\n  won: “${it}”`), ...lost.map((it) => `\n  lost: “${it}”`)].join('');
  const hits = `hit@1 ${before.hit_at_1} before, ${after.hit_at_1} with it`;
  const coverage = `coverage@${k} ${before.coverage_at_k}, ${after.coverage_at_k}`;
  const left = uncounted === 0 ? '' : `, ${uncounted} more do not count`;
  return `${agent}: ${before.passed} of ${probes} probes passed${left}, ${after.passed} with it; ${hits}; ${coverage}${changed}`;
}
