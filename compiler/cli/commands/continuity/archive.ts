import { z } from 'zod';
import { ArchiveRequest } from '../../../continuity/schema/removal.ts';
import { VadeError } from '../../../schema/errors.ts';
import { DRY_RUN } from '../../../world/flags/shared.ts';
import { defineCommand } from '../../registry.ts';
import { CAPSULE, lookedFrom } from './capsule-flags.ts';

export const continuityArchiveCommand = defineCommand({
  path: 'continuity.archive',
  description: 'Archive a capsule of an agent: it is kept, but no longer used; also while a server runs',
  danger: 'mutating',
  flags: {
    ...CAPSULE,
    reason: {
      type: 'string',
      line: true,
      required: true,
      description: 'Why, in 3 to 240 characters; the archive keeps it',
    },
    'dry-run': DRY_RUN,
  },
  exits: ['NOT_FOUND', 'PRECONDITION', 'CONFLICT', 'UNAVAILABLE'],
  output: z.object({
    effect: z.enum(['updated', 'would_update']),
    archive_path: z.string(),
    commit: z.string().nullable(),
  }),
  examples: [
    {
      description: 'Archive a finished thread',
      command:
        'vade continuity archive --continuity capsules --owner default --kind thread --subject release-42 --reason "the release is out"',
    },
  ],
  run: async (args, world) => {
    const request = ArchiveRequest.safeParse({
      subject_kind: args.kind,
      subject_id: args.subject,
      reason: args.reason,
    });
    if (!request.success)
      throw new VadeError('argument_invalid', '--reason has 3 to 240 characters, --subject 1 to 200', {
        flag: 'reason',
      });
    const { archiveCapsule } = await import('../../../../server/continuity/operator/archive-capsule.ts');
    const dryRun = args['dry-run'];
    const archived = await archiveCapsule(lookedFrom(args, world), args.owner, request.data, dryRun);
    const effect = dryRun ? 'would_update' : 'updated';
    return { data: { effect, ...archived }, text: `${effect}: ${archived.archive_path}` };
  },
});
