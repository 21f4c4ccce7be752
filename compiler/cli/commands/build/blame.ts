import { z } from 'zod';
import type { BlamedLine } from '../../../present/terminal/blame.ts';
import { printable } from '../../../schema/diagnostics.ts';
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
    const { blameLines } = await import('../../../present/terminal/blame.ts');
    const { versions, inForce, files } = readSourceHistory(args, world);
    if (inForce === null) {
      const why = versions.at(-1)?.withheld === undefined ? 'deleted' : 'held back';
      throw new VadeError(
        'fact_not_found',
        `no version of ${args.unit ?? args.atom ?? args.role ?? ''} is in force: it is ${why}; vade log shows its history`,
      );
    }
    const lines = files.flatMap(({ file, versions: texts }) => blameLines(texts).map((it) => ({ file, ...it })));
    const text = files.map(({ file }) =>
      toText(
        file,
        files.length,
        lines.filter((it) => it.file === file),
      ),
    );
    return { data: { uri: inForce.uri, lines }, text: text.join('\n') };
  },
});

/** The lines of one file; its name stands above them if there are more. */
function toText(file: string, count: number, lines: readonly BlamedLine[]): string {
  const heads = lines.map((it) => {
    const maybe =
      it.withheld.length === 0 ? '' : ` (or ${it.withheld.map((version) => `v${version}`).join(', ')}, held back)`;
    return `v${it.version}${maybe}  ${it.commit.slice(0, 12)}  ${[it.authored_by, ...it.coauthored_by].join(', ')}`;
  });
  const width = Math.max(0, ...heads.map((it) => it.length));
  const told = lines.map((it, at) => `${printable((heads[at] ?? '').padEnd(width))}  ${printable(it.text)}`);
  return [...(count > 1 ? [printable(file)] : []), ...told].join('\n');
}
