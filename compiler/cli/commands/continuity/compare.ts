import { z } from 'zod';
import { CandidateCapsule } from '../../../continuity/schema/draft.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { World } from '../../../world/world.ts';
import { readJson } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';
import { CAPSULE, lookedFrom } from './capsule-flags.ts';

export const continuityCompareCommand = defineCommand({
  path: 'continuity.compare',
  description: 'Show the fields in which a capsule differs from another version of it, or from a candidate',
  danger: 'safe',
  flags: {
    ...CAPSULE,
    against: {
      type: 'string',
      description: 'fallback, the path of an archive, or the id of a commit',
    },
    'input-file': { type: 'string', description: 'A capsule as JSON; - for standard input' },
  },
  oneOf: [['against', 'input-file']],
  exits: ['NOT_FOUND', 'PRECONDITION', 'CONFLICT', 'UNAVAILABLE'],
  output: z.object({ path: z.string(), identical: z.boolean(), changed_fields: z.array(z.string()) }),
  examples: [
    {
      description: 'What the last write changed',
      command:
        'vade continuity compare --continuity capsules --owner default --kind user --subject jane --against 6a1f0c5e0d9f',
    },
  ],
  run: async (args, world) => {
    const { compareCapsule } = await import('../../../../server/continuity/operator/read-capsules.ts');
    const subject = { subject_kind: args.kind, subject_id: args.subject };
    const file = args['input-file'];
    const against =
      file === undefined ? { version: args.against ?? '' } : { candidate: await candidateIn(file, world) };
    const { path, changed_fields } = await compareCapsule(lookedFrom(args, world), args.owner, subject, against);
    const identical = changed_fields.length === 0;
    const text = identical ? 'identical' : changed_fields;
    return { data: { path, identical, changed_fields }, text };
  },
});

async function candidateIn(file: string, world: World) {
  const parsed = CandidateCapsule.safeParse(await readJson(file, world));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VadeError(
    'argument_invalid',
    `${file} is not a capsule: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}
