import type { Flags } from '../../world/flags/flag.ts';
import { DRY_RUN, MODELS } from '../../world/flags/shared.ts';

/** Flags of `vade migrate`. */
export const MIGRATE = {
  from: { type: 'string', required: true, description: 'Markdown file, or folder of Markdown files' },
  agent: { type: 'string', id: true, required: true, description: 'Short name of the agent that gets the units' },
  out: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  models: MODELS,
  brief: {
    type: 'boolean',
    description: 'Print what a coding agent needs to name, describe and trigger the units; writes nothing',
  },
  part: { type: 'integer', default: 1, min: 1, max: 1000, description: 'Part of the brief' },
  answers: { type: 'array', description: 'Files that answer the brief, one for each part' },
  write: { type: 'boolean', description: 'Write the proposed files' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;
