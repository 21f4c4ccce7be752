import type { Nodes } from 'mdast';
import type { Unclosed } from '../schema/source/unit.ts';

/** Whether a block of code, as written, begins with a fence and has none at its end. */
export function isOpenFence(raw: string): boolean {
  return /^(?:`{3}|~{3})/.test(raw) && !/\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(raw);
}

/**
 * The construct that a node leaves open, and the UTF-16 unit where it begins; null if none.
 *
 * @param raw the node as written
 */
export function unclosedIn(node: Nodes, raw: string): { what: Unclosed['what']; index: number } | null {
  if (node.type === 'code') return isOpenFence(raw) ? { what: 'code fence', index: 0 } : null;
  if (node.type !== 'html') return null;
  const comment = raw.lastIndexOf('<!--');
  return comment !== -1 && !raw.includes('-->', comment) ? { what: 'comment', index: comment } : null;
}
