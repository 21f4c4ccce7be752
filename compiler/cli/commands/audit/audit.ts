import { resolve } from 'node:path';
import { z } from 'zod';
import type { VerifiedAudit } from '../../../../server/audit/maintenance.ts';
import { auditPlaceFrom, pinnedKeys } from '../../../world/audit-place.ts';
import type { Flags } from '../../../world/flags/flag.ts';
import { AUDIT, CHECKPOINT_KEY } from '../../../world/flags/shared.ts';
import { type Warning } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand } from '../../registry.ts';

const TALLY = {
  writers: z.int(),
  entries: z.int(),
  erased: z.int(),
  checkpoints: z.int(),
  retired: z.int(),
  unsigned: z.int(),
  /** The highest serial of a bundle that answered a recall; 0 without recalls. */
  serial: z.int(),
  /** Number of chain ends that something outside the store confirms; null without such a witness. */
  witnessed: z.int().nullable(),
  /** The state of the file beside the audit in which the server remembers the newest bundle that it served. */
  rollback_memory: z.enum(['kept', 'older', 'missing', 'damaged']),
};

const AGAINST = {
  against: {
    type: 'string',
    description: 'Earlier backup, or a copy of <state>.anchor.jsonl; the audit must still have every entry of it',
  },
} as const satisfies Flags;

const MEMORY = {
  older: 'names an older bundle than the audit, as after a rollback, allowed by administrators or not',
  missing: 'is missing: a server would accept an older bundle (a development server keeps none)',
  damaged: 'cannot be read: a server would not start',
} as const;

/** Warnings about proofs that are missing. */
function proofWarnings({ witnessed, rollback_memory: memory }: VerifiedAudit): Warning[] {
  const unanchored =
    'nothing outside the audit confirms its end: an audit that was emptied and restarted looks the same';
  return [
    ...(witnessed === null ? [{ code: 'AUDIT_NOT_ANCHORED', message: unanchored }] : []),
    ...(memory === 'kept'
      ? []
      : [
          {
            code: 'ROLLBACK_MEMORY',
            message: `the record of the newest served bundle ${MEMORY[memory]}`,
            context: { memory },
          },
        ]),
  ];
}

export const auditVerifyCommand = defineCommand({
  path: 'audit.verify',
  description: 'Prove that no entry of the audit was changed or removed',
  danger: 'safe',
  scopes: ['audit:read'],
  flags: { ...AUDIT, ...CHECKPOINT_KEY, ...AGAINST },
  exits: ['NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({ ...TALLY, keys: z.enum(['pinned', 'beside']) }),
  examples: [
    { description: 'With a key stored elsewhere', command: 'vade audit verify --checkpoint-key checkpoint.pub' },
    { description: 'Compare with a backup', command: 'vade audit verify --against audit-copy.db' },
  ],
  run: async (args, world) => {
    const { verifyAudit } = await import('../../../../server/audit/maintenance.ts');
    const pinned = pinnedKeys(args['checkpoint-key'], world);
    const against = args.against === undefined ? undefined : resolve(world.cwd, args.against);
    const tally = await verifyAudit(auditPlaceFrom(args, world), { pinned, against });
    const data = { ...tally, keys: pinned === null ? 'beside' : 'pinned' };
    const signed = `${tally.checkpoints} checkpoints verify; ${tally.unsigned} entries are not signed yet`;
    const text = `${tally.entries} entries of ${tally.writers} writers verify; ${signed}`;
    return { data, text, warnings: proofWarnings(tally) };
  },
});

export const auditBackupCommand = defineCommand({
  path: 'audit.backup',
  description: 'Copy the audit file, also while a server runs, and verify the copy',
  danger: 'mutating',
  scopes: ['audit:read'],
  flags: {
    out: { type: 'string', required: true, description: 'File of the copy; it must not exist' },
    ...AUDIT,
    ...CHECKPOINT_KEY,
  },
  exits: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({ effect: z.literal('created'), out: z.string(), ...TALLY }),
  examples: [{ description: 'A copy', command: 'vade audit backup --audit audit.db --out audit-copy.db' }],
  run: async (args, world) => {
    const { backupAudit } = await import('../../../../server/audit/maintenance.ts');
    const out = resolve(world.cwd, args.out);
    const { takeWaitingArrivals } = await import('../../../app/report/waiting-arrivals.ts');
    await takeWaitingArrivals(args, world);
    const tally = await backupAudit(auditPlaceFrom(args, world), out, pinnedKeys(args['checkpoint-key'], world));
    const text = `${out} contains ${tally.entries} entries`;
    const { warnIfExposed } = await import('../../../world/exposed-file.ts');
    const warnings = [...proofWarnings(tally), ...(await warnIfExposed(out))];
    return { data: { effect: 'created', out, ...tally }, text, warnings };
  },
});
