import { createHash } from 'node:crypto';
import { readPageFiles } from '../../compiler/io/files/page-files.ts';
import { toShell } from '../../compiler/present/page-html.ts';
import type { ServedDocument } from '../operations/documents.ts';
import { PAGE_POLICY } from './security-headers.ts';

/** The page's files: its HTML, its script, its style sheet. */
export interface Page {
  readonly shell: ServedDocument;
  readonly script: ServedDocument;
  readonly style: ServedDocument;
}

let read: Page | null = null;

/** Read once, at the first request for the page. */
export function page(): Page {
  read ??= open();
  return read;
}

function open(): Page {
  const { script, style } = readPageFiles();
  return { shell: served(toShell()), script: served(script), style: served(style) };
}

function served(body: string): ServedDocument {
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  return { body: Buffer.from(body), etag, headers: { 'Content-Security-Policy': PAGE_POLICY } };
}
