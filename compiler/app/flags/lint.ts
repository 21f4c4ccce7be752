import type { Flags } from '../../world/flags/flag.ts';
import { DRY_RUN } from '../../world/flags/shared.ts';

export const LINT = {
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  ref: { type: 'string', description: 'Commit to lint; default: the working tree' },
  fix: { type: 'boolean', description: 'Fix what is safe to fix, in place' },
  report: {
    type: 'enum',
    values: ['text', 'github', 'sarif'],
    default: 'text',
    description: 'Format of the diagnostics: text or workflow commands on stderr, or SARIF 2.1.0 in --out',
  },
  out: { type: 'string', description: 'File for the SARIF report' },
  explain: { type: 'string', description: 'Rule to explain, instead of linting' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;
