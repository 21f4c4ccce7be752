import { z } from 'zod';
import type { SourceHistory, SourceVersion } from '../../../app/history/history.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { isWithdrawn } from '../../../trust/withdrawal.ts';
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
type Entry = z.infer<typeof Entry>;

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
    const versions = page.map((it) => toEntry(it, history, withdrawn));
    return {
      data: { versions },
      text: [...versions.map(toText), ...moreLine(pagination)].join('\n'),
      meta: { pagination },
    };
  },
});

function toEntry(it: SourceVersion, { inForce, approvals }: SourceHistory, withdrawn: ReadonlySet<string>): Entry {
  const withheld = it.withheld ?? (isWithdrawn(withdrawn, it) ? 'withdrawn' : null);
  const current = inForce?.uri === it.uri;
  const used = current ? approvals : [];
  return {
    version: it.version,
    uri: it.uri,
    in_force: current && withheld === null,
    created_at: it.created_at,
    valid_until: it.valid_until,
    authored_by: it.authored_by,
    coauthored_by: [...(it.coauthored_by ?? [])],
    signed_by: it.signed_by ?? null,
    approved_by: [...(it.approved_by ?? [])],
    approvals: used.map(({ kind, by, note }) => `${kind} by ${by.join(', ')}${note === null ? '' : `: ${note}`}`),
    verified: it.verified,
    source_trust: it.source_trust,
    derived_from: it.derived_from,
    digest: it.digest,
    commit: it.commit,
    withheld,
  };
}

function toText(it: Entry): string {
  const state =
    it.withheld === null ? (it.in_force ? 'in force' : `until ${it.valid_until ?? ''}`) : `held back: ${it.withheld}`;
  const provenance = [
    ...(it.verified ? [] : ['unverified']),
    ...(it.signed_by === null ? [] : [`signed with ${it.signed_by}`]),
    ...(it.approved_by.length === 0 ? [] : [`approved by ${it.approved_by.join(', ')}`]),
    ...it.approvals,
  ];
  const lines = [
    `v${it.version}  ${it.created_at}  ${state}`,
    `    ${[it.authored_by, ...it.coauthored_by].join(', ')} in ${it.commit.slice(0, 12)}, source trust ${it.source_trust}`,
    ...provenance.map((line) => `    ${line}`),
    `    sha256 ${it.digest}${it.derived_from === null ? '' : `, from ${it.derived_from.slice(0, 12)}`}`,
  ];
  return lines.map(printable).join('\n');
}
