import { readPageFiles } from '../../compiler/io/files/page-files.ts';
import { toShell } from '../../compiler/present/page-html.ts';
import { servedDocument, type ServedDocument } from '../operations/documents.ts';
import { memoized } from '../operations/memoized.ts';
import { PAGE_POLICY } from './security-headers.ts';

/** The page's files: its HTML, its script, its style sheet. */
export interface Page {
  readonly shell: ServedDocument;
  readonly script: ServedDocument;
  readonly style: ServedDocument;
}

/** Read once, at the first request for the page. */
export const page = memoized((): Page => {
  const { script, style } = readPageFiles();
  return { shell: served(toShell()), script: served(script), style: served(style) };
});

function served(body: string): ServedDocument {
  return servedDocument(Buffer.from(body), { 'Content-Security-Policy': PAGE_POLICY });
}
