import { resolve } from 'node:path';
import { z } from 'zod';
import { AUDIT, CHECKPOINT_KEY, pinnedKeys, placeFrom } from '../auditflags.ts';
import { defineCommand } from '../registry.ts';

const TALLY = {
  writers: z.int(),
  entries: z.int(),
  erased: z.int(),
  checkpoints: z.int(),
  retired: z.int(),
  unsigned: z.int(),
};

export const auditVerifyCommand = defineCommand({
  path: 'audit.verify',
  description: 'Prove that nothing of the audit was changed or taken away',
  danger: 'safe',
  flags: { ...AUDIT, ...CHECKPOINT_KEY },
  exits: ['NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ ...TALLY, keys: z.enum(['pinned', 'beside']) }),
  examples: [
    { description: 'With a key that was kept elsewhere', command: 'vade audit verify --checkpoint-key checkpoint.pub' },
  ],
  run: async (args, world) => {
    const { verifyAudit } = await import('../../../server/main.ts');
    const pinned = pinnedKeys(args['checkpoint-key'], world);
    const tally = await verifyAudit(placeFrom(args, world), pinned);
    const data = { ...tally, keys: pinned === null ? 'beside' : 'pinned' };
    const signed = `${tally.checkpoints} checkpoints hold; ${tally.unsigned} entries are not signed yet`;
    return { data, text: `${tally.entries} entries of ${tally.writers} writers hold; ${signed}` };
  },
});

export const auditBackupCommand = defineCommand({
  path: 'audit.backup',
  description: 'Copy the audit file, beside a running server, and prove the copy',
  danger: 'mutating',
  flags: {
    out: { type: 'string', required: true, description: 'File of the copy; it must not exist' },
    ...AUDIT,
    ...CHECKPOINT_KEY,
  },
  exits: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({ effect: z.literal('created'), out: z.string(), ...TALLY }),
  examples: [{ description: 'A copy', command: 'vade audit backup --audit audit.db --out audit-copy.db' }],
  run: async (args, world) => {
    const { backupAudit } = await import('../../../server/main.ts');
    const out = resolve(world.cwd, args.out);
    const tally = await backupAudit(placeFrom(args, world), out, pinnedKeys(args['checkpoint-key'], world));
    return { data: { effect: 'created', out, ...tally }, text: `${out} holds ${tally.entries} entries` };
  },
});
