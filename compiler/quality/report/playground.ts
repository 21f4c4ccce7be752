import { INDEX_FILES } from '../../recall/index/search-index.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { PlaygroundFiles } from '../../schema/api/playground-files.ts';

/** Without the ANN graph: the page scores every unit. */
const EMBEDDED = Object.entries(INDEX_FILES)
  .filter(([what]) => what !== 'graph')
  .map(([, path]) => path);

/** The files of a page's playground: the signed bytes of the index. */
export function playgroundFiles(files: ReadonlyMap<string, Buffer>, garden: RecallGarden): PlaygroundFiles {
  const index = EMBEDDED.flatMap((path) => {
    const bytes = files.get(path);
    return bytes ? [[path, bytes.toString('base64')] as const] : [];
  });
  return {
    index: Object.fromEntries(index),
    fallbacks: Object.fromEntries(garden.fallbacks),
    withdrawn: [...garden.withdrawn].map((unit) => garden.index.names[unit] ?? ''),
    approximate: garden.index.ann !== null,
  };
}
