import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { auditPlaceFrom } from '../../../world/audit-place.ts';
import { AUDIT, DRY_RUN, YES } from '../../../world/flags/shared.ts';
import { requireYes } from '../../../world/require-yes.ts';
import { type Warning } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand } from '../../registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const OUTPUT = { effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']) };

export const auditRetainCommand = defineCommand({
  path: 'audit.retain',
  description: 'Delete old entries of the audit, in whole signed segments, so that the rest still verifies',
  danger: 'destructive',
  scopes: ['audit:write'],
  flags: {
    'older-than': { type: 'string', default: '90d', description: 'Age in days' },
    yes: YES,
    'dry-run': DRY_RUN,
    ...AUDIT,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({
    ...OUTPUT,
    entries: z.int(),
    chains: z.array(z.object({ writer: z.string(), n: z.int(), entries: z.int() })),
  }),
  examples: [{ description: 'Keep 90 days', command: 'vade audit retain --older-than 90d --yes' }],
  run: async (args, world) => {
    const { retainAudit } = await import('../../../../server/audit/maintenance.ts');
    const now = world.now().getTime();
    const before = now - daysOf(args['older-than']) * DAY_MS;
    requireYes(args, `this permanently deletes entries older than ${args['older-than']}`);
    const options = { before, now, checkpointKey: world.env['VADE_CHECKPOINT_KEY'], dryRun: args['dry-run'] };
    const { entries, chains } = await retainAudit(auditPlaceFrom(args, world), options);
    const effect = effectOf(entries, args['dry-run']);
    return { data: { effect, entries, chains }, text: `${effect}: ${entries} entries` };
  },
});

export const auditEraseCommand = defineCommand({
  path: 'audit.erase',
  description: 'Erase the text of intents from the audit; the entries stay and verify',
  danger: 'destructive',
  scopes: ['audit:write'],
  flags: {
    token: { type: 'string', description: 'Audit token of one recall; this or --agent or --before' },
    agent: { type: 'string', id: true, description: 'agent_id of the agent that sent the intents' },
    before: { type: 'string', description: 'Only intents from before this ISO 8601 time' },
    yes: YES,
    'dry-run': DRY_RUN,
    ...AUDIT,
  },
  exits: ['NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({ ...OUTPUT, intents: z.int() }),
  examples: [
    {
      description: 'One intent',
      command: 'vade audit erase --token audi_01JZ3K8M5QW7XE9RT2VB4NC6DF_3q2-7wAAAAAAAAAAAAAAAA --yes',
    },
  ],
  run: async (args, world) => {
    const { eraseIntents } = await import('../../../../server/audit/maintenance.ts');
    const filter = filterOf(args.token, args.agent, args.before);
    requireYes(args, 'this permanently erases intents');
    const { takeWaitingArrivals } = await import('../../../app/report/waiting-arrivals.ts');
    if (!args['dry-run']) await takeWaitingArrivals(args, world);
    const { intents, spooled } = await eraseIntents(auditPlaceFrom(args, world), filter, args['dry-run']);
    const effect = effectOf(intents, args['dry-run']);
    return {
      data: { effect, intents },
      text: `${effect}: ${intents} intents`,
      warnings: [...spooledWarning(spooled), ...nothingErasedWarning(intents, args.agent)],
    };
  },
});

function daysOf(age: string): number {
  const days = /^(\d{1,5})d$/.exec(age)?.[1];
  if (days !== undefined && Number(days) > 0) return Number(days);
  throw new VadeError('argument_invalid', '--older-than must be a number of days, such as 90d');
}

function filterOf(token: string | undefined, agent: string | undefined, before: string | undefined) {
  if (token === undefined && agent === undefined && before === undefined) {
    throw new VadeError('argument_invalid', 'choose the intents with --token, --agent or --before');
  }
  const at = before === undefined ? undefined : timeOf(before);
  return {
    ...(token !== undefined && { token }),
    ...(agent !== undefined && { agent }),
    ...(at !== undefined && { before: at }),
  };
}

function timeOf(text: string): number {
  const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (time.success) return Date.parse(time.data);
  throw new VadeError('argument_invalid', '--before must be a time such as 2026-05-04 or 2026-05-04T12:00:00Z');
}

function effectOf(changed: number, dryRun: boolean): string {
  const effect = changed > 0 ? 'update' : 'noop';
  if (dryRun) return `would_${effect}`;
  return changed > 0 ? 'updated' : 'noop';
}

/** A wrong name must not look like a completed erasure. */
function nothingErasedWarning(intents: number, agent: string | undefined): Warning[] {
  if (intents > 0 || agent === undefined) return [];
  const message = `the audit has no intent of ${agent}; it names agents by agent_id, not by short name`;
  return [{ code: 'NOTHING_TO_ERASE', message }];
}

/** Reports that the erasure is not complete. */
function spooledWarning(rows: number): Warning[] {
  if (rows === 0) return [];
  const message =
    'rows wait in the spool of this audit; run the command again when they are stored, to erase their intents';
  return [{ code: 'AUDIT_SPOOLED', message, context: { rows } }];
}
