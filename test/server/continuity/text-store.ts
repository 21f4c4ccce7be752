import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { readFiles } from '../../../server/continuity/state/files.ts';
import { openOwner, type OwnerOptions, type OwnerStore } from '../../../server/continuity/store/owner-store.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { applyText, TEXTS } from './trivial.ts';

const open = new Set<OwnerStore>();

export async function close(store: OwnerStore): Promise<void> {
  if (open.delete(store)) await store.end();
}

/** Opens a store of texts; it ends with the test. */
export function opened(root: string, more: Partial<OwnerOptions> = {}) {
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown) => void troubles.push(error);
  const store = openOwner({ root, owner: 'ada', apply: applyText, layout: TEXTS, onTrouble, ...more });
  open.add(store);
  onTestFinished(() => close(store));
  return { store, troubles };
}

/** Text of a subject as a reader sees it. */
export function held(root: string, id: string): string | null {
  const db = new Database(ownerPlaceOf(root, 'ada').state, { readonly: true });
  try {
    const bytes = readFiles(db, TEXTS).of({ kind: 'thread', id }).active;
    return bytes && (JSON.parse(bytes.toString('utf8')) as { text: string }).text;
  } finally {
    db.close();
  }
}

/** Output of this machine's git on a store. */
export const gitIn = (root: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', ownerPlaceOf(root, 'ada').folder, ...args], { encoding: 'utf8' });

/** Locks of git where it moves a branch, deletes one, or joins packs. */
export const LOCKS = [
  'HEAD.lock',
  'packed-refs.lock',
  'refs/heads/main.lock',
  'refs/heads/rewritten.lock',
  'objects/pack/multi-pack-index.lock',
];
