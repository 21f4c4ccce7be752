import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../registry.ts';
import { CONTINUITY, lookedFrom } from './capsule-flags.ts';

const TALLY = {
  owners: z.int(),
  commits: z.int(),
  /** Files of the newest commits. */
  files: z.int(),
  artefacts: z.int(),
  databases: z.int(),
};

const counted = (it: z.infer<z.ZodObject<typeof TALLY>>) =>
  `${it.commits} commits of ${it.owners} agents, ${it.files} files, ${it.artefacts} versions of artefacts, ${it.databases} databases`;

export const continuityVerifyCommand = defineCommand({
  path: 'continuity.verify',
  description: 'Verify every object, file and database of a folder of capsules, also while a server runs',
  danger: 'safe',
  flags: CONTINUITY,
  exits: ['NOT_FOUND', 'PRECONDITION', 'PERMISSION_DENIED', 'UNAVAILABLE'],
  output: z.object(TALLY),
  examples: [{ description: 'After a restart', command: 'vade continuity verify --continuity /var/lib/vade/capsules' }],
  run: async (args, world) => {
    const { refuseProblems } = await import('../../../../server/continuity/operator/backup-store.ts');
    const { verifyStore } = await import('../../../../server/continuity/operator/verify-store.ts');
    const verified = await verifyStore(lookedFrom(args, world).root);
    refuseProblems(verified);
    const { problems: _, ...data } = verified;
    return { data, text: `${counted(data)} verify` };
  },
});

export const continuityBackupCommand = defineCommand({
  path: 'continuity.backup',
  description: 'Copy a folder of capsules, also while a server runs, and verify the copy',
  danger: 'mutating',
  flags: {
    ...CONTINUITY,
    out: { type: 'string', required: true, description: 'Folder of the copy; it must not exist' },
  },
  exits: ['NOT_FOUND', 'PRECONDITION', 'CONFLICT', 'PERMISSION_DENIED', 'UNAVAILABLE'],
  output: z.object({ effect: z.literal('created'), out: z.string(), ...TALLY }),
  examples: [
    { description: 'A copy', command: 'vade continuity backup --continuity capsules --out /backup/capsules-monday' },
  ],
  run: async (args, world) => {
    const { backupStore } = await import('../../../../server/continuity/operator/backup-store.ts');
    const out = resolve(world.cwd, args.out);
    const { problems: _, ...tally } = await backupStore(lookedFrom(args, world).root, out);
    const { warnIfExposed } = await import('../../../world/exposed-file.ts');
    const warnings = await warnIfExposed(out);
    return { data: { effect: 'created', out, ...tally }, text: `${out} contains ${counted(tally)}`, warnings };
  },
});
