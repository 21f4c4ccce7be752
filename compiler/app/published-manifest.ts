import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Compiled } from '../compile.ts';
import { CURRENT, readFacts } from '../io/bundle/open-bundle.ts';
import { countTokens } from '../io/models/tokens.ts';
import type { ShownEntries } from '../publish/plan-edits.ts';
import { assertAllPlaced } from '../publish/unplaced-units.ts';
import type { Publication } from '../schema/api/publication.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { Manifest } from '../schema/bundle/manifest.ts';
import { SHARED } from '../schema/uri.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import type { World } from '../world/world.ts';
import type { CurrentState } from './current-state.ts';
import { openPrevious } from './previous-bundle.ts';

/**
 * The entries at the version of the sources, as the publisher got them: from the bundle's folder, or from a compile if
 * the folder has another version. Null if the sources do not compile.
 */
export async function shownEntries(
  { bundle: folder, pinned, agent }: { readonly bundle: string; readonly pinned: SignedRoot; readonly agent: string },
  { version }: Pick<CurrentState, 'version'>,
  compileNow: () => Promise<Compiled>,
  world: World,
): Promise<ShownEntries> {
  const known = existsSync(join(folder, CURRENT)) ? openPrevious(folder, pinned, world.now()) : null;
  const served = known?.manifest(agent) ?? null;
  if (served?.manifest_version === `v${version}`) return byName(served);
  const { bundle } = await compileNow();
  return bundle && byName(readBuilt(bundle, agent).manifest);
}

const byName = ({ entries }: Manifest) => new Map(entries.map((it) => [it.name, it]));

/** @throws manifest_too_large if a unit that the publication names has no place in the manifest of its bundle */
export function assertNamesPlaced(
  bundle: Bundle,
  agent: string,
  { entries }: Publication,
  { manifest: { mode } }: CurrentState,
): void {
  assertAllPlaced(entries, { ...readBuilt(bundle, agent), mode }, countTokens);
}

/** An agent's manifest in a new bundle, and the facts that its recall finds. */
function readBuilt({ built }: Bundle, agent: string) {
  const file = (garden: string, name: string) =>
    built.find((it) => it.name === garden)?.files.get(name) ?? Buffer.alloc(0);
  const facts = [agent, SHARED].flatMap((it) => readFacts(file(it, 'facts.json')));
  return { manifest: Manifest.parse(JSON.parse(String(file(agent, 'manifest.json')))), facts };
}
