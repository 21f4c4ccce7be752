import { z } from 'zod';
import { CONNECT } from '../../../app/flags/hook.ts';
import { connectHosts } from '../../../app/init/connect-hosts.ts';
import { defineCommand } from '../../registry.ts';

/** A person trusts each hook of Codex once, and again after each change of its line. */
const TRUST = 'Codex runs a hook only after a person has trusted it: type /hooks in Codex, now and after each change';

export const connectCommand = defineCommand({
  path: 'connect',
  description: 'Connect hosts to an agent of this handbook: hooks and MCP server, merged into their settings',
  danger: 'mutating',
  flags: CONNECT,
  exits: [],
  output: z.object({
    effect: z.enum(['changed', 'would_change', 'unchanged']),
    files: z.array(z.object({ file: z.string(), created: z.boolean(), text: z.string() })),
  }),
  examples: [
    { description: 'Show what would change', command: 'vade connect --host codex' },
    { description: 'Write it', command: 'vade connect --host claude-code --host codex --yes' },
  ],
  run: (args, world) => {
    const changes = connectHosts(args, world);
    const isWritten = args.yes && !args['dry-run'];
    const effect = changes.length === 0 ? 'unchanged' : isWritten ? 'changed' : 'would_change';
    const files = changes.map(({ file, before, own }) => ({ file, created: before === null, text: own }));
    const text = [
      ...files.flatMap(({ file, created, text: own }) => [
        `# ${created ? 'new' : 'added to'}: ${file}`,
        ...own.trimEnd().split('\n'),
      ]),
      ...(effect === 'would_change' ? ['# nothing was written; add --yes'] : []),
      ...(args.host.includes('codex') ? [`# ${TRUST}`] : []),
    ];
    return Promise.resolve({ data: { effect, files }, text: text.length === 0 ? 'unchanged' : text });
  },
});
