import { resolve } from 'node:path';
import { z } from 'zod';
import { PUBLISH } from '../../../app/flags/sources.ts';
import { Publication } from '../../../schema/api/publication.ts';
import { VadeError } from '../../../schema/errors.ts';
import { EntityUri } from '../../../schema/uri.ts';
import { signingRoot, signingKey } from '../../../world/trust-keys.ts';
import { readJson } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';

const Share = z.number();

export const publishCommand = defineCommand({
  path: 'publish',
  description: 'Replace a manifest: check every gate, commit the front matter, write the bundle',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags: PUBLISH,
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'would_create', 'noop']),
    fact_uri: z.string(),
    token_count: z.int(),
    coverage_report: z.array(
      z.object({ name: z.string(), judged_by: z.string(), coverage_pct: Share, hit_at_10: Share }),
    ),
    recertify_by: z.string().nullable(),
    commit: z.string(),
    revision: z.string(),
  }),
  examples: [
    {
      description: 'Publish from a file',
      command:
        'vade publish --repo handbook.git --agent cto --admin acme/human/ann --input-file v4.json --trust root.json --key signing.pem',
    },
  ],
  run: async (args, world) => {
    const pinned = signingRoot(args, world);
    const signer = signingKey(args.key, args, world);
    const admin = EntityUri.safeParse(args.admin).data;
    if (admin === undefined)
      throw new VadeError('argument_invalid', '--admin must be an entity URI, such as acme/human/ann');
    const publication = checkPublication(await readJson(args['input-file'], world));
    const { publish } = await import('../../../app/publish.ts');
    const places = { repo: resolve(world.cwd, args.repo), bundle: resolve(world.cwd, args.bundle) };
    const { data, notices } = await publish({ ...args, ...places, pinned, signer, admin }, publication, world);
    return {
      data,
      text: `${data.effect}: ${data.fact_uri} as commit ${data.commit}, revision ${data.revision}`,
      warnings: notices,
    };
  },
});

/**
 * Untrusted input. An error inside an entry is `manifest_entry_invalid`, any other `request_invalid`.
 *
 * @throws manifest_entry_invalid, request_invalid
 */
function checkPublication(input: unknown): Publication {
  const parsed = Publication.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const faults = issues.map((it) => ({ path: it.path.join('.'), message: it.message }));
  const ofEntries = issues.every(({ path }) => path[0] === 'entries' && path.length > 1);
  const listed = faults.slice(0, 5).map((it) => (it.path === '' ? it.message : `${it.path}: ${it.message}`));
  throw new VadeError(ofEntries ? 'manifest_entry_invalid' : 'request_invalid', listed.join('; '), { faults });
}
