import { z } from 'zod';
import type { ProbeEffect } from '../../../app/brief/measure-answer.ts';
import type { TakenAnswer } from '../../../app/brief/take-answer.ts';
import { BRIEF_TAKE } from '../../../world/flags/quality.ts';
import { tellFaults } from '../../../world/tell-faults.ts';
import { readInput } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';

const ProbeCounts = z.object({ probes: z.int(), passed: z.int() });

export const briefTakeCommand = defineCommand({
  path: 'brief.take',
  description: 'Write the answer of a brief: phrases or probes of its units; say what the probes gain and lose',
  danger: 'mutating',
  flags: BRIEF_TAKE,
  operand: 'file',
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    kind: z.enum(['phrases', 'probes']),
    agent: z.string(),
    file: z.string(),
    units: z.array(z.string()),
    declined: z.array(z.string()),
    unanswered: z.array(z.string()),
    /** Stored phrases that give way to the answer. */
    replaced: z.array(z.object({ unit: z.string(), phrases: z.int() })),
    sentences: z.int(),
    skipped: z.int(),
    copies: z.array(z.looseObject({ unit: z.string(), sentence: z.string(), like: z.string() })),
    /** Why `vade compile` would refuse the garden with this answer. */
    refused: z.array(z.object({ agent: z.string(), unit: z.string(), rule: z.string(), message: z.string() })),
    measured: z.array(
      z.looseObject({
        agent: z.string(),
        before: ProbeCounts,
        after: ProbeCounts,
        won: z.array(z.string()),
        lost: z.array(z.string()),
        failing: z.array(z.looseObject({ probe: z.string(), unit: z.string() })),
        without_phrases: z.looseObject({ required: z.int(), first_before: z.int(), first_after: z.int() }),
      }),
    ),
  }),
  examples: [
    { description: 'What it would change', command: 'vade brief take answer.json --dry-run' },
    { description: 'Take it', command: 'vade brief take answer.json' },
  ],
  run: async (args, world) => {
    const { takeAnswer } = await import('../../../app/brief/take-answer.ts');
    const text = await readInput(args.file, world);
    const { changed, ...taken } = await takeAnswer(args, text, world).catch((error: unknown) =>
      tellFaults(error, world),
    );
    const done = changed ? ('update' as const) : ('noop' as const);
    const effect = args['dry-run'] ? (`would_${done}` as const) : changed ? ('updated' as const) : ('noop' as const);
    const lines = [`${effect}: ${taken.file}`, ...toLines(taken)];
    return { data: { effect, ...taken }, text: lines };
  },
});

function toLines(taken: Omit<TakenAnswer, 'changed'>): string[] {
  const { kind, agent, units, declined, unanswered, replaced, sentences, skipped, copies, refused, measured } = taken;
  const gone = replaced.reduce((sum, { phrases }) => sum + phrases, 0);
  return [
    `${sentences} ${kind} for ${units.length} units${skipped > 0 ? `; ${skipped} already existed` : ''}`,
    ...(gone > 0
      ? [`stored phrases replaced: ${gone} (${replaced.map((it) => `${it.unit} ${it.phrases}`).join(', ')})`]
      : []),
    ...(declined.length > 0 ? [`declined until their text changes: ${declined.join(', ')}`] : []),
    ...(unanswered.length > 0 ? [`without an answer: ${unanswered.join(', ')}`] : []),
    ...copies.map((it) => `${it.unit}: “${it.sentence}” nearly copies a ${it.of.kind} of ${it.of.unit}: “${it.like}”`),
    ...refused.map(
      (it) => `a compile refuses it [${it.rule}]: ${it.agent === agent ? '' : `for ${it.agent}, `}${it.message}`,
    ),
    ...(measured.length > 0
      ? measured.flatMap(gainLines)
      : ['no probes, so the gain is unknown; vade brief probes asks for some']),
  ];
}

function gainLines({ agent, before, after, won, lost, failing, without_phrases: bare }: ProbeEffect): string[] {
  const passed = ({ probes, passed: count }: ProbeEffect['before']) => `${count} of ${probes}`;
  return [
    `${agent}: ${passed(after)} probes pass; ${passed(before)} before`,
    ...won.map((it) => `  won: “${it}”`),
    ...lost.map((it) => `  lost: “${it}”`),
    ...failing.map(
      (it) => `  fails: “${it.probe}”, ${it.unit} ${it.rank === null ? 'is not ranked' : `ranks ${it.rank}`}`,
    ),
    ...(bare.required > 0
      ? [`  units without phrases: first for ${bare.first_after} of ${bare.required}; ${bare.first_before} before`]
      : []),
    ...bare.lost.map((it) => `  no longer first: “${it}”`),
  ];
}
