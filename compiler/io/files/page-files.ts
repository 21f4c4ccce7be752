import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VadeError } from '../../schema/errors.ts';

/** The page's script and style sheet, bundled by `npm run build`. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

const FILES = { script: 'app.js', style: 'app.css' } as const;

/** Relative to the build, and relative to the sources. */
const FOLDERS = ['../../present/page', '../../../dist/compiler/present/page'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Reads the built page. @throws source_not_found if it was not built */
export function readPageFiles(): PageFiles {
  const folder = FOLDERS.find((it) => existsSync(join(it, FILES.script)));
  if (folder === undefined) throw new VadeError('source_not_found', 'the page is not built: npm run build');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { script: read(FILES.script), style: read(FILES.style) };
}
