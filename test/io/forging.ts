import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import type { Bundle, RootPredicate } from '../../compiler/schema/bundle/bundle.ts';
import type { Garden } from '../../compiler/schema/bundle/garden.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import { attestGarden, attestRoot } from '../../compiler/trust/attest.ts';
import type { Signer } from '../../compiler/trust/dsse.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import { tempFolder } from '../support/folder.ts';
import { listing } from './handbook.ts';
import { NOW } from './published.ts';

/** Reads everything, as a server does in the end; returns the number of gardens. */
export function readWhole(folder: string, pinned: SignedRoot, now = NOW): number {
  const bundle = openBundle(folder, { pinned, now });
  const shared = loadShared(bundle);
  const names = bundle.root.predicate.gardens.map((it) => it.garden).filter((it) => it !== SHARED);
  return names.map((name) => loadGarden(bundle, name, shared)).length;
}

/** A copy of a bundle with one change; `find` returns the first matching path. */
export function copyOf(folder: string, change: (at: string, find: (pattern: RegExp) => string) => void): string {
  const at = tempFolder();
  cpSync(folder, at, { recursive: true });
  change(at, (pattern) => {
    const found = Object.keys(listing(at)).find((path) => pattern.test(path));
    if (found === undefined) throw new Error(`nothing matches ${pattern.source}`);
    return join(at, found);
  });
  return at;
}

export interface Forgery {
  /** Replaces a garden. */
  readonly garden?: (garden: Garden) => Garden;
  readonly root?: (root: RootPredicate) => RootPredicate;
  /** Who signs the root. */
  readonly signers: readonly Signer[];
  /** Further files beside the root. */
  readonly files?: ReadonlyMap<string, Buffer>;
}

/** A bundle that the holder of its signing key could forge: every digest is right. */
export function forge(bundle: Bundle, { garden, root, signers, files }: Forgery): string {
  const built = bundle.built.map((it) => ({ ...(garden?.(it) ?? it), name: it.name }));
  const digests = new Map(bundle.built.map((it, i) => [it.name, built[i]?.digest ?? it.digest]));
  const { predicate } = bundle.statement;
  const gardens = predicate.gardens.map((it) => ({ ...it, digest: digests.get(it.garden) ?? it.digest }));
  const beside = new Map([...bundle.files, ...(files ?? [])].filter(([path]) => path !== 'root.dsse.json'));
  const merged = { ...predicate, gardens };
  const out = tempFolder();
  writeBundle(out, { ...attestRoot(root?.(merged) ?? merged, built, beside, signers), built }, null);
  return out;
}

/** A garden signed anew with other files, or with another predicate. */
export function resign(
  { statement, files }: Garden,
  signers: readonly Signer[],
  change: { readonly files?: ReadonlyMap<string, Buffer>; readonly predicate?: object } = {},
): Garden {
  const named = statement.subject.filter((it) => !it.annotations).map((it) => [it.name, it.digest.sha256] as const);
  const predicate = { ...statement.predicate, ...change.predicate };
  return attestGarden(predicate, new Map(named), change.files ?? files, signers);
}
