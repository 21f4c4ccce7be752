import { expect, test } from 'vitest';
import { INDEX_FILES } from '../../../compiler/recall/index/index-file.ts';
import { buildIndex, loadIndex } from '../../../compiler/recall/index/search-index.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { reasonOf } from '../../support/refused.ts';
import { indexed } from '../garden.ts';

test('an index that lists no word has no postings, and is refused with any', async () => {
  const { json, binary } = await buildIndex([indexed({ name: 'zoo' })], null);
  const files = new Map([...[...json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...binary]);
  const words = json.get(INDEX_FILES.terms) as object;
  files.set(INDEX_FILES.terms, canonicalBytes({ ...words, terms: [], idf: [], starts: [] }));
  const read = () => reasonOf(() => loadIndex((path) => files.get(path)));
  expect(read()).toBe('format_unknown');
  files.set(INDEX_FILES.postings, Buffer.alloc(0));
  expect(read()).toBe('believed');
});
