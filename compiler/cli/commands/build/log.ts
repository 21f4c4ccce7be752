import { z } from 'zod';
import { versionEntry } from '../../../app/history/history.ts';
import { versionLines } from '../../../present/terminal/versions.ts';
import { BUNDLE_FLAGS, PAGE_FLAGS, SOURCE_FLAGS } from '../../../world/flags/shared.ts';
import { moreLine, paginate } from '../../pagination.ts';
import { defineCommand } from '../../registry.ts';

/** One version of a unit, an atom or a role. */
const Entry = z.object({
  version: z.int(),
  uri: z.string(),
  in_force: z.boolean(),
  created_at: z.string(),
  valid_until: z.string().nullable(),
  authored_by: z.string(),
  coauthored_by: z.array(z.string()),
  signed_by: z.string().nullable(),
  approved_by: z.array(z.string()),
  approvals: z.array(z.string()),
  verified: z.boolean(),
  source_trust: z.number(),
  derived_from: z.string().nullable(),
  digest: z.string(),
  commit: z.string(),
  withheld: z.string().nullable(),
});

export const logCommand = defineCommand({
  path: 'log',
  description:
    'Show the history of a unit, an atom or a role, newest first: who wrote, signed and approved each version',
  danger: 'safe',
  flags: { ...SOURCE_FLAGS, ...PAGE_FLAGS, ...BUNDLE_FLAGS },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ versions: z.array(Entry) }),
  examples: [
    { description: 'Every version of a unit', command: 'vade log --dev --agent cto --unit wrap-up --limit 0' },
    { description: 'Who loosened a restriction', command: 'vade log --dev --atom policy::no-git-ops' },
  ],
  run: async (args, world) => {
    const { readSourceHistory } = await import('../../../app/history/source-history.ts');
    const { withdrawnFrom } = await import('../../../io/bundle/sidecar-files.ts');
    const history = readSourceHistory(args, world);
    const withdrawn = withdrawnFrom(history.bundle);
    const newest = [...history.versions].reverse().map((it) => ({ ...it, id: it.uri }));
    const { page, pagination } = paginate(newest, args);
    const versions = page.map((it) => versionEntry(it, history, withdrawn));
    const text = [...versions.flatMap(versionLines), ...moreLine(pagination)];
    return { data: { versions }, text, meta: { pagination } };
  },
});
