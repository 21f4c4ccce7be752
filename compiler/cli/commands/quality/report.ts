import { z } from 'zod';
import { spooledWarnings } from '../../../world/audit-place.ts';
import { REPORT } from '../../../world/flags/quality.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand } from '../../registry.ts';

export const reportCommand = defineCommand({
  path: 'report',
  description: 'Write one self-contained HTML page about a bundle',
  danger: 'mutating',
  flags: REPORT,
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
