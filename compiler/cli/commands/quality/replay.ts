import { z } from 'zod';
import type { Replayer } from '../../../app/replay/replay.ts';
import { replayedLine, replayText } from '../../../present/terminal/replay.ts';
import type { ReplayCounter } from '../../../quality/replay-tally.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { ReplayedRecall } from '../../../schema/report/replay-report.ts';
import { auditPlaceFrom, spooledWarnings } from '../../../world/audit-place.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { REPLAY } from '../../../world/flags/quality.ts';
import { windowFrom } from '../../../world/time-window.ts';
import type { Warning, World } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

export const replayCommand = defineCommand({
  path: 'replay',
  description: 'Repeat the recalls of the audit with a bundle, and report which answers change',
  danger: 'safe',
  scopes: ['audit:read'],
  flags: REPLAY,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  // short, since the manifest pays for tokens; the full shape is ReplayReport
  output: z.looseObject({
    revision: z.string().nullable(),
    read: z.int(),
    total: z.looseObject({ replayed: z.int(), worse: z.int() }),
    proof: z.looseObject({ differing: z.int() }),
    agents: z.array(z.looseObject({})),
    not_replayed: z.looseObject({}),
    changed: z.array(z.looseObject({ id: z.string(), verdict: z.string() })),
    omitted: z.int(),
  }),
  examples: [
    { description: 'What a new bundle changes', command: 'vade replay --dev --bundle new --since 30d --max-worse 0' },
    { description: 'Prove the answers of a bundle', command: 'vade replay --dev --as-recorded' },
  ],
  run: async (args, world) => {
    const { openReplayer } = await import('../../../app/replay/replay.ts');
    const { replayAll } = await import('../../../app/replay/replay-audit.ts');
    const { spooledRows } = await import('../../../../server/audit/queue/spool-file.ts');
    const window = windowFrom(args, world);
    const place = auditPlaceFrom(args, world);
    const replaying = await openReplayer(args, world);
    const counting = await replayAll(replaying, place, window, args);
    if (args.report === 'github') await annotate(counting.report(null).changed, world);
    return conclude(args, counting, replaying, spooledRows(place));
  },
});

/** Annotates recalls for the whole pull request, as they belong to no file. */
async function annotate(changed: readonly ReplayedRecall[], world: World): Promise<void> {
  const { annotationLine } = await import('../../../present/terminal/annotation.ts');
  for (const it of changed) {
    const severity = it.verdict === 'worse' ? 'warning' : 'notice';
    world.say(
      annotationLine({ severity, title: `recall ${it.verdict.replace('_', ' ')}`, message: replayedLine(it).trim() }),
    );
  }
}

type Args = Arguments<typeof REPLAY>;

/** @throws replay_differs, replay_regression */
function conclude(args: Args, counting: ReplayCounter, { bundle, unusable }: Replayer, spooled: number): CommandResult {
  const data = counting.report(args['as-recorded'] ? null : bundle.revision);
  const { proof, total } = data;
  if (proof.differing > 0) {
    const message = `${proof.differing} of ${proof.replayed} recalls differ although the same revision answered them`;
    throw new VadeError('replay_differs', message, { ...data, changed: counting.differing() });
  }
  const max = args['max-worse'];
  if (max !== undefined && total.worse > max) {
    throw new VadeError('replay_regression', `${total.worse} recalls get worse; --max-worse allows ${max}`, {
      ...data,
    });
  }
  const warnings: Warning[] = [...unusable].map(([revision, why]) => ({
    code: 'REVISION_UNUSABLE',
    message: `recalls of ${revision} are not replayed: ${why}`,
  }));
  if (total.replayed === 0)
    warnings.push({ code: 'NOTHING_REPLAYED', message: 'no recall of the time window was replayed' });
  warnings.push(...spooledWarnings(spooled));
  return { data, text: replayText(data), warnings };
}
