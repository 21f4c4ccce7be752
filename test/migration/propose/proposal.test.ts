import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { corpusOf } from '../../support/corpus.ts';
import { expectSound } from './sound-proposal.ts';

it('§21.6.3 never throws, and makes sound units of any Markdown, the same when run again', () => {
  const syntax = '## |### |# |```\n|---\n|===\n|<!--|- |> |\n|\n\n|[x]: y\n|a: 1\n'.split('|');
  const word = fc.oneof(fc.constantFrom(...syntax), fc.string({ unit: anyCharacter, maxLength: 8 }), fc.lorem());
  const texts = fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 3 });
  const property = fc.property(texts, fc.string({ unit: anyCharacter }), (pieces, path) => {
    expectSound(pieces.map((all, i) => ({ path: `${path}${i}.md`, text: all.join('') })));
  });
  fc.assert(property, { numRuns: 100 });
});

for (const part of ['ceo', 'companies']) {
  const { path: folder, isThere } = corpusOf(part);
  describe.runIf(isThere)(`the corpus “${part}”`, () => {
    it('§21.6.3 becomes sound units, the same when run again', { timeout: 60_000 }, () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const paths = files.filter((file) => file.endsWith('.md')).sort();
      const read = (path: string) => ({ path, text: readFileSync(join(folder, path), 'utf8') });
      expect(expectSound(paths.map(read)).units.length).toBeGreaterThan(20);
    });
  });
}
