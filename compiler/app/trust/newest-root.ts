import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCapped } from '../../io/files/tree.ts';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { walkChain, type SignedRoot } from '../../trust/root-chain.ts';

/**
 * The newest trust root in the working tree that the chain from the pinned root reaches.
 *
 * @param source folder of the sources
 * @param below ignore this version and later ones, such as one that is still being signed
 * @throws bundle_unverified
 */
export function newestRoot(pinned: SignedRoot, source: string, below = Infinity): SignedRoot {
  const folder = join(source, 'trust');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const versions = names.flatMap((name) => Number(/^([1-9]\d*)\.json$/.exec(name)?.[1] ?? [])).filter((it) => it > 0);
  const offered = new Map([[pinned.root.version, pinned.envelope]]);
  for (const version of versions) {
    if (version < below) offered.set(version, readCapped(join(folder, `${version}.json`), MAX_ENVELOPE_BYTES));
  }
  return walkChain(pinned, offered);
}
