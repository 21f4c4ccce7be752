import { z } from 'zod';
import type { OwnedCapsule } from '../../../../server/continuity/operator/read-capsules.ts';
import { archiveDaysFrom } from '../../../continuity/use-cases/capsules-place.ts';
import { capsuleLine, unreadableLine } from '../../../present/terminal/continuity.ts';
import { PAGE_FLAGS } from '../../../world/flags/shared.ts';
import { moreLine, paginate } from '../../pagination.ts';
import { defineCommand } from '../../registry.ts';
import { CONTINUITY, lookedFrom } from './capsule-flags.ts';

/** One row; the texts are the agent's own. */
const Row = z.object({
  id: z.string(),
  owner: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  path: z.string(),
  state: z.string(),
  lifecycle: z.string().nullable(),
  phase: z.string(),
  health: z.string(),
  updated_at: z.string(),
});

/** A file that cannot be read; `vade continuity verify` says why. */
const Unreadable = z.object({ owner: z.string(), path: z.string() });

export const continuityListCommand = defineCommand({
  path: 'continuity.list',
  description: 'List the capsules of an agent, or of all, also while a server runs',
  danger: 'safe',
  flags: {
    ...CONTINUITY,
    owner: { type: 'string', id: true, description: 'Only those of this agent, by id; or default' },
    archived: { type: 'boolean', description: 'Also archived capsules' },
    ...PAGE_FLAGS,
  },
  exits: ['NOT_FOUND', 'PRECONDITION', 'UNAVAILABLE'],
  output: z.object({ capsules: z.array(Row), unreadable: z.array(Unreadable) }),
  examples: [
    { description: 'All capsules', command: 'vade continuity list --continuity /var/lib/vade/capsules --limit 0' },
  ],
  run: async (args, world) => {
    const { listCapsules } = await import('../../../../server/continuity/operator/read-capsules.ts');
    const asked = { owner: args.owner ?? null, archived: args.archived };
    const { capsules, unreadable } = await listCapsules(lookedFrom(args, world), asked, archiveDaysFrom(world));
    const rows = capsules.map(rowOf);
    const damaged = unreadable.map(({ owner, path }) => ({ owner, path }));
    const { page, pagination } = paginate(rows, args);
    const text = [...page.map(capsuleLine), ...moreLine(pagination), ...damaged.map(unreadableLine)];
    return { data: { capsules: page, unreadable: damaged }, text, meta: { pagination } };
  },
});

/** A row of the index as the command reports it. */
function rowOf(it: OwnedCapsule): z.infer<typeof Row> {
  return {
    id: `${it.owner}/${it.path}`,
    owner: it.owner,
    subject_kind: it.subject_kind,
    subject_id: it.subject_id,
    path: it.path,
    state: it.artifact_state,
    lifecycle: it.thread_descriptor?.lifecycle ?? null,
    phase: it.phase,
    health: it.health_status,
    updated_at: it.updated_at,
  };
}
