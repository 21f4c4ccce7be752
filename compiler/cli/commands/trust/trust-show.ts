import { z } from 'zod';
import { TRUST_SHOW } from '../../../app/flags/trust.ts';
import type { inspectRoot } from '../../../app/trust/inspect-root.ts';
import { defineCommand } from '../../registry.ts';

export const trustShowCommand = defineCommand({
  path: 'trust.show',
  description: 'Follow the chain of trust roots, and show who may do what, and until when',
  danger: 'safe',
  flags: TRUST_SHOW,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({
    version: z.int(),
    pinned: z.int(),
    deployment: z.string(),
    valid_from: z.string().nullable(),
    expires: z.string().nullable(),
    admins: z.array(z.string()),
    thresholds: z.record(z.string(), z.int()),
    keys: z.array(
      z.object({
        keyid: z.string(),
        owner: z.string().nullable(),
        roles: z.array(z.string()),
        expires: z.string().nullable(),
      }),
    ),
    forges: z.array(z.string()),
    commit_keys: z.array(z.object({ kind: z.string(), owner: z.string(), expires: z.string().nullable() })),
    supervisors: z.record(z.string(), z.array(z.string())),
    control_plane: z.object({ issuer: z.string(), audience: z.string(), kids: z.array(z.string()) }).nullable(),
    next: z.array(z.string()),
  }),
  examples: [{ description: 'Show the newest trust root', command: 'vade trust show --trust root.json' }],
  run: async (args, world) => {
    const { inspectRoot } = await import('../../../app/trust/inspect-root.ts');
    const data = inspectRoot(args, world);
    return { data, text: toText(data) };
  },
});

function toText(it: ReturnType<typeof inspectRoot>): string[] {
  const until = (expires: string | null) => (expires === null ? '' : ` until ${expires}`);
  const lines = [
    `trust root ${it.version} of ${it.deployment}${until(it.expires)}`,
    `administrators: ${it.admins.join(', ') || 'none'}`,
    `signatures needed: ${Object.entries(it.thresholds)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
    ...it.keys.map((key) => `key ${key.keyid} ${[key.owner ?? [], key.roles].flat(2).join(' ')}${until(key.expires)}`),
    ...it.forges.map((forge) => `ignored as a committer: ${forge}`),
    ...it.commit_keys.map((key) => `commit key (${key.kind}) of ${key.owner}${until(key.expires)}`),
    ...Object.entries(it.supervisors).map(([name, reports]) => `${name} supervises ${reports.join(', ')}`),
    ...(it.control_plane ? [`control plane ${it.control_plane.issuer}: ${it.control_plane.kids.join(', ')}`] : []),
    ...it.next.map((step) => `next: ${step}`),
  ];
  return lines;
}
