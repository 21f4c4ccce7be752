import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { BUNDLE_FLAGS, SOURCE_FLAGS } from '../../../world/flags/shared.ts';
import { defineCommand } from '../../registry.ts';

export const blameCommand = defineCommand({
  path: 'blame',
  description: 'Show each line of the text in force with the version, commit and author that added it',
  danger: 'safe',
  flags: { ...SOURCE_FLAGS, ...BUNDLE_FLAGS },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({
    uri: z.string(),
    lines: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        text: z.string(),
        version: z.int(),
        commit: z.string(),
        authored_by: z.string(),
        coauthored_by: z.array(z.string()),
        withheld: z.array(z.int()),
      }),
    ),
  }),
  examples: [
    { description: 'Who wrote which line', command: 'vade blame --dev --agent cto --unit wrap-up' },
    { description: 'Who wrote which pattern', command: 'vade blame --dev --atom policy::no-git-ops' },
  ],
  run: async (args, world) => {
    const { readSourceHistory } = await import('../../../app/history/source-history.ts');
    const { blamedText, blameLines } = await import('../../../present/terminal/blame.ts');
    const { versions, inForce, files } = readSourceHistory(args, world);
    if (inForce === null) {
      const why = versions.at(-1)?.withheld === undefined ? 'deleted' : 'held back';
      throw new VadeError(
        'fact_not_found',
        `no version of ${args.unit ?? args.atom ?? args.role ?? ''} is in force: it is ${why}; vade log shows its history`,
      );
    }
    const blamed = files.map(({ file, versions: texts }) => ({ file, lines: blameLines(texts) }));
    const lines = blamed.flatMap(({ file, lines: own }) => own.map((it) => ({ file, ...it })));
    const text = blamed.flatMap((it) => blamedText(it.file, files.length, it.lines));
    return { data: { uri: inForce.uri, lines }, text };
  },
});
