import { VERSION } from '../../../io/files/version.ts';
import { ManifestResponse } from '../../manifest-schema.ts';
import { defineCommand, type Registry } from '../../registry.ts';
import { shownJson } from '../../shown-text.ts';

/** @param registry called when the command runs, since the registry contains this command */
export const manifestCommand = (registry: () => Promise<Registry>) =>
  defineCommand({
    path: 'manifest',
    description: 'Describe every command, flag and exit code, for agents',
    danger: 'safe',
    flags: {
      etag: { type: 'string', description: 'Etag of the manifest you have; no data if it is current' },
    },
    exits: [],
    output: ManifestResponse.nullable(),
    examples: [
      { description: 'Read it once', command: 'vade manifest' },
      { description: 'Has it changed since?', command: 'vade manifest --etag sha256:0000' },
    ],
    run: async (args) => {
      const { buildManifest } = await import('../../manifest.ts');
      const manifest = buildManifest(await registry(), VERSION);
      if (args.etag === manifest.etag) return { data: null, text: 'not modified', meta: { not_modified: true } };
      return { data: manifest, text: shownJson(manifest, 2) };
    },
  });
