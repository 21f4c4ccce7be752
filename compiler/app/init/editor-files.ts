import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VadeError } from '../../schema/errors.ts';

/** Relative to the sources, and relative to the build. */
const FOLDERS = ['../../schema/json', '../../../../compiler/schema/json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The copies are those of the compiler that `org.yaml` pins, so they are committed beside it. */
const COPIES = '.vscode/vademecum';

const SCHEMAS: Readonly<Record<string, string>> = {
  'org.schema.json': 'instructions/org.yaml',
  'agent.schema.json': 'instructions/agents/*/agent.yaml',
  'probes.schema.json': 'instructions/probes/*.yaml',
  'phrases.schema.json': 'instructions/phrases/*.yaml',
};

/**
 * Files, by path, that an editor with yaml-language-server needs to check the sources as they are typed.
 *
 * @throws source_not_found
 */
export function editorFiles(): ReadonlyMap<string, string> {
  const folder = FOLDERS.find((it) => existsSync(join(it, 'org.schema.json')));
  if (folder === undefined) throw new VadeError('source_not_found', 'the JSON Schemas of the sources are missing');
  const names = Object.keys(SCHEMAS);
  const settings = Object.fromEntries(names.map((name) => [`./${COPIES}/${name}`, SCHEMAS[name]]));
  return new Map([
    ...names.map((name) => [`${COPIES}/${name}`, readFileSync(join(folder, name), 'utf8')] as const),
    ['.vscode/settings.json', `${JSON.stringify({ 'yaml.schemas': settings }, null, 2)}\n`],
  ]);
}
