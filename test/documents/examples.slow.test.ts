import { cpSync } from 'node:fs';
import { describe, expect, test, beforeAll } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { UpsertRequest } from '../../compiler/continuity/schema/upsert.ts';
import { RecallRequest, RecallResponse } from '../../compiler/schema/api/recall.ts';
import { Agent } from '../../compiler/schema/source/agent.ts';
import { Org } from '../../compiler/schema/source/org.ts';
import { PhraseSet } from '../../compiler/schema/source/phrases.ts';
import { ProbeSet } from '../../compiler/schema/source/probe.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { describeWhere } from '../support/loudly.ts';
import { repository } from '../support/repository.ts';
import { examplesOf, guides, type Example } from './markdown.ts';
import { missingPrograms, openShell } from './shell.ts';

const PARSED = ['json', 'yaml', 'markdown'];

/** Guides without an example of their own, and why. */
const WITHOUT = new Set([
  '.github/CONTRIBUTING.md', // npm test
  'compiler/encoder/README.md', // its build takes half an hour; test/encoder holds its parts
  'compiler/encoder/model/README.md', // a model card
  'compiler/library/README.md', // test/library/package.slow.test.ts runs it
  'test/bench/README.md', // npm run bench
  // rooms whose README says to those who change them which files are there, and what holds
  ...[
    'app',
    'budget',
    'capabilities/gate',
    'capabilities/hooks',
    'capabilities/shell',
    'gardens',
    'history',
    'io',
    'lint',
    'present',
    'publish',
    'quality/paraphrase',
    'quality/unit-coverage',
    'schema',
    'sources',
    'tasks/verify',
    'world',
  ].map((it) => `compiler/${it}/README.md`),
  ...['auth', 'continuity', 'http', 'mcp', 'operations', 'rollout', 'telemetry'].map((it) => `server/${it}/README.md`),
  'test/corpus/README.md', // npm run corpus
  // measurements and trials, beside the README that shows how to use the room
  ...['capabilities', 'encoder/model', 'quality', 'recall'].map((it) => `compiler/${it}/FIGURES.md`),
  'server/audit/FIGURES.md',
]);

/** State in which a folder's README begins: a fresh handbook after the steps of the first page, up to a bundle. */
const START = `
vade init --dir . --deployment handbook
git init --quiet && git add . && git commit --quiet --message "Start the handbook"
vade compile --trust instructions/trust/1.json --key .vade/signing-key.pem`;

function scriptOf(path: string): string {
  const blocks = examplesOf(path, ['sh']).filter(({ marker }) => !marker.startsWith('not run: '));
  return blocks.map(({ text }) => text).join('\n');
}

const scripted = guides().filter((path) => scriptOf(path) !== '');
const parsed = guides().flatMap((path) => examplesOf(path, PARSED).map((example) => ({ path, ...example })));
const missing = missingPrograms();

describeWhere(
  missing.length === 0,
  'the shell examples of documents',
  `install ${missing.join(', ')}`,
)('examples that are commands', () => {
  const shell = openShell();
  const handbook = tempFolder();

  beforeAll(async () => {
    expect(await shell.run(START, handbook)).toMatchObject({ code: 0 });
  });

  test.each(scripted)('%s runs as it stands', async (path) => {
    const folder = tempFolder();
    // the first page begins with an empty folder
    if (path !== 'README.md') cpSync(handbook, folder, { recursive: true });
    const { code, log } = await shell.run(scriptOf(path), folder);
    expect(code, log).toBe(0);
  });
});

describe('examples that are data', () => {
  test.each(parsed)('$path:$line is what it says to be', ({ path, line, ...example }) => {
    expect(faultsOf(example), `${path}:${line}`).toEqual([]);
  });

  test('every guide has an example that is run or parsed', () => {
    const checked = new Set(parsed.filter(({ marker }) => !marker.startsWith('not ')).map(({ path }) => path));
    const bare = guides().filter((path) => !checked.has(path) && !scripted.includes(path) && !WITHOUT.has(path));
    expect(bare).toEqual([]);
  });

  test('the recall on the first page is answered as it says', async () => {
    const marked = (name: string) => parsed.find(({ path, marker }) => path === 'README.md' && marker.startsWith(name));
    const { intent, max_chunks } = RecallRequest.parse(JSON.parse(marked('recall')?.text ?? ''));
    const shown = RecallResponse.parse(JSON.parse(marked('answer')?.text ?? ''));
    const repo = repository().copy('instructions', 'instructions');
    repo.commit();
    expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
    const asked = ['--intent', intent, '--max-chunks', String(max_chunks)];
    const ran = await vade(['recall', '--dev', '--agent', 'cto', ...asked], repo.path);
    const answer = RecallResponse.parse(ran.envelope().data);
    for (const [at, chunk] of shown.chunks.entries())
      expect(answer.chunks[at]?.content).toContain(chunk.content.replace(/ ?…$/, ''));
    const bare = ({ chunks, ...rest }: RecallResponse) => ({
      ...rest,
      chunks: chunks.map((chunk) => ({ ...chunk, content: '' })),
    });
    expect(bare(answer)).toEqual(bare(shown));
  });
});

const SCHEMAS: Readonly<Record<string, z.ZodType>> = { RecallRequest, RecallResponse, UpsertRequest };

/** Faults of an example, by the schema of the file or message that it shows. */
function faultsOf({ lang, text, marker }: Omit<Example, 'line'>): string[] {
  const [kind = '', what = ''] = marker.split(': ');
  // test/examples/hosts.slow.test.ts runs it
  if (kind.startsWith('not ') || kind === 'host') return [];
  if (kind === 'file' && lang === 'markdown') return unitFaults(what, text);
  const schema =
    kind === 'file'
      ? schemaOf(what)
      : SCHEMAS[{ recall: 'RecallRequest', answer: 'RecallResponse', upsert: 'UpsertRequest' }[kind] ?? what];
  if (!schema) return [`a comment above has to say what it is: ${marker}`];
  return schema.safeParse(parse(text)).error?.issues.map(({ message }) => message) ?? [];
}

function schemaOf(file: string): z.ZodType | undefined {
  if (file === 'org.yaml') return Org;
  if (file.startsWith('probes/')) return ProbeSet;
  if (file.startsWith('phrases/')) return PhraseSet;
  return file.endsWith('/agent.yaml') ? Agent : undefined;
}

function unitFaults(file: string, text: string): string[] {
  const bytes = Buffer.from(`${text}\n`);
  const tree = { path: `instructions/${file}`, mode: '100644', blob: '', size: bytes.length };
  return parseUnit(tree, bytes, 'cto').faults.map(({ message }) => message);
}
