import { fixKeys, fixText } from '../../lint/fix-text.ts';
import type { Diagnostic, RuleId } from '../../schema/diagnostics.ts';
import type { Sources, TreeFile } from '../../schema/source/sources.ts';
import { blobStore } from '../../sources/blobs.ts';
import { normaliseText } from '../../sources/front-matter.ts';
import { lintSources, type Linted } from './lint-sources.ts';

type Ports = Parameters<typeof lintSources>[1];

/** A file before and after the fixes, and a list of them. */
export interface FixedFile {
  readonly file: string;
  readonly before: Buffer;
  readonly after: Buffer;
  readonly changes: readonly string[];
}

/** The safe fixes of all texts of the sources, and the diagnostics that remain after them. Writes nothing. */
export async function fixSources(
  sources: Sources,
  ports: Ports,
): Promise<{ fixed: readonly FixedFile[]; linted: Linted }> {
  const originals = await textsOf(sources);
  const drafts = new Map([...originals].map(([path, bytes]) => [path, fixText(bytes.toString('utf8'))]));
  const first = await lintSources(overlay(sources, drafts), inRound(0, ports));
  const renamed = new Map(drafts);
  for (const [path, draft] of drafts) {
    const { text, changes } = fixKeys(draft.text, ofFile(first.faults, path));
    if (changes.length > 0) renamed.set(path, { text, changes: [...draft.changes, ...changes] });
  }
  const second = await lintSources(overlay(sources, renamed), inRound(1, ports));
  const doubtful = [...drafts.keys()].filter((path) =>
    isWorse(ofFile(first.faults, path), ofFile(second.faults, path)),
  );
  for (const path of doubtful) renamed.set(path, drafts.get(path) ?? { text: '', changes: [] });
  const linted = doubtful.length === 0 ? second : await lintSources(overlay(sources, renamed), inRound(2, ports));
  const fixed = [...originals].flatMap(([file, before]) => {
    const { text, changes } = renamed.get(file) ?? { text: '', changes: [] };
    return changes.length === 0 ? [] : [{ file, before, after: Buffer.from(text), changes }];
  });
  return { fixed, linted };
}

/** The fixes are linted at most so often. */
const ROUNDS = 3;

const inRound = (round: number, ports: Ports): Ports => ({
  ...ports,
  progress: (step, done, total) => ports.progress?.(step, round * total + done, ROUNDS * total),
});

/** Texts that are safe to rewrite: Markdown and YAML in UTF-8. Signed envelopes are never changed. */
async function textsOf(sources: Sources): Promise<Map<string, Buffer>> {
  const files = [...sources.tree.values()].filter(
    (it) => !it.skill && it.mode.startsWith('100') && /\.(?:md|yaml)$/.test(it.path),
  );
  const blobs = blobStore(sources);
  await blobs.loadFiles(files);
  return new Map(
    files.flatMap(({ path, blob }) => {
      const bytes = blobs.blob(blob);
      return bytes && normaliseText(bytes) !== null ? [[path, bytes] as const] : [];
    }),
  );
}

/** The sources with the fixed texts. */
function overlay(sources: Sources, texts: ReadonlyMap<string, { readonly text: string }>): Sources {
  const written = new Map<string, Buffer>();
  const tree = new Map<string, TreeFile>();
  for (const [path, file] of sources.tree) {
    const draft = texts.get(path);
    if (!draft) tree.set(path, file);
    else {
      const bytes = Buffer.from(draft.text);
      written.set(`fixed ${path}`, bytes);
      tree.set(path, { ...file, blob: `fixed ${path}`, size: bytes.length });
    }
  }
  const read = async (ids: readonly string[], limit: number) => {
    const found = new Map(
      await sources.read(
        ids.filter((id) => !written.has(id)),
        limit,
      ),
    );
    for (const id of ids) {
      const bytes = written.get(id);
      if (bytes) found.set(id, bytes);
    }
    return found;
  };
  return { ...sources, tree, read };
}

const DECODED: ReadonlySet<RuleId> = new Set(['yaml_invalid', 'key_unknown', 'value_invalid', 'description_too_long']);

/** Whether a file decodes no better than before, although its keys were renamed. */
function isWorse(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const count = (faults: readonly Diagnostic[], rule: RuleId) => faults.filter((it) => it.rule === rule).length;
  return [...DECODED].some((rule) => count(after, rule) > count(before, rule));
}

function ofFile(faults: readonly Diagnostic[], path: string): Diagnostic[] {
  return faults.filter((it) => it.file === path);
}
