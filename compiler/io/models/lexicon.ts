import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Lexicon } from '../../schema/source/lexicon.ts';

/** The lexicon of the coverage gate, with the sha256 of its file. */
export interface ReadLexicon {
  readonly lexicon: Lexicon;
  readonly digest: string;
}

/** Relative to the sources, and relative to the build. */
const FILE = ['../../quality/paraphrase/lexicon.json', '../../../../compiler/quality/paraphrase/lexicon.json'].map(
  (path) => fileURLToPath(new URL(path, import.meta.url)),
);

let known: ReadLexicon | null = null;

/** The lexicon of the compiler, read at the first call. */
export function readLexicon(): ReadLexicon {
  known ??= read(FILE.find((path) => existsSync(path)) ?? 'compiler/quality/paraphrase/lexicon.json');
  return known;
}

function read(file: string): ReadLexicon {
  const bytes = readFileSync(file);
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { lexicon: Lexicon.parse(JSON.parse(bytes.toString('utf8'))), digest };
}
