import { z } from 'zod';
import { spooledWarnings } from '../../../app/world/audit-place.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { AUDIT, MODELS, PREVIOUS_TRUST, sinceFlag } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN } from '../../registry.ts';

export const reportCommand = defineCommand({
  path: 'report',
  description: 'Write one self-contained HTML page about a bundle',
  danger: 'mutating',
  flags: {
    out: { type: 'string', required: true, description: 'File to write or replace' },
    previous: { type: 'string', description: 'Earlier bundle to compare with' },
    'previous-trust': PREVIOUS_TRUST,
    audit: { type: 'string', description: 'SQLite file of the audit, or postgres://…' },
    state: AUDIT.state,
    since: sinceFlag('28d'),
    'show-intents': { type: 'boolean', description: 'Show intents of the audit' },
    playground: {
      type: 'enum',
      values: ['full', 'words', 'none'],
      default: 'full',
      description: 'full embeds the built-in model, 9 MB; words ranks without it',
    },
    'dry-run': DRY_RUN,
    models: MODELS,
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({
    effect: z.enum(['created', 'updated', 'would_create', 'would_update']),
    out: z.string(),
    bytes: z.int(),
    revision: z.string(),
    agents: z.int(),
    audited: z.int().nullable(),
  }),
  examples: [
    { description: 'For a pull request', command: 'vade report --dev --out report.html --previous main-bundle' },
    { description: 'With figures from the audit', command: 'vade report --dev --out report.html --audit audit.db' },
  ],
  run: async (args, world) => {
    const { writeReport } = await import('../../../app/report/write-report.ts');
    const { spooled, ...data } = await writeReport(args, world);
    const audited = data.audited === null ? 'no audit' : `${data.audited} rows of the audit`;
    const text = `${data.effect} ${data.out}: ${data.agents} agents, ${audited}, ${Math.ceil(data.bytes / 1024)} KiB`;
    return { data, text, warnings: spooledWarnings(spooled) };
  },
});
