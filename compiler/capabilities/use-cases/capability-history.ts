import { readCapabilityGarden } from '../../io/bundle/load-capabilities.ts';
import { CapabilityFacts, type CapabilityFact } from '../../schema/bundle/capability-garden.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { BUNDLE_FLAGS } from '../../world/flags/shared.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import type { World } from '../../world/world.ts';

type CapabilityFlags = Arguments<typeof BUNDLE_FLAGS>;

/**
 * Reads the versions of an atom or a role from a bundle.
 *
 * @throws bundle_not_found, bundle_unverified, fact_not_found
 */
export function readCapabilityHistory(kind: 'atom' | 'role', name: string, flags: CapabilityFlags, world: World) {
  const bundle = pinnedBundle(flags, world);
  const garden = readCapabilityGarden(bundle);
  const bytes = garden?.files.get(`${kind}s.json`) ?? Buffer.from('{"format":1,"facts":[]}');
  const versions = CapabilityFacts.parse(JSON.parse(bytes.toString('utf8'))).facts.filter((it) => it.name === name);
  const last = versions.at(-1);
  if (last === undefined) throw new VadeError('fact_not_found', `the bundle has no ${kind} ${name}`);
  const approvals = garden?.statement.predicate.approvals ?? [];
  return {
    bundle,
    versions,
    inForce: last.valid_until === null ? last : null,
    // an atom is approved with the roles that have it
    approvals: kind === 'role' ? approvals.filter(({ unit }) => unit === name) : [],
    files: filesOf(versions, last),
  };
}

/** The files that a version is made of, each with its text in every version. */
function filesOf(versions: readonly CapabilityFact[], { file, text }: CapabilityFact) {
  const declaration = { file, versions: versions.map((it) => ({ ...it, content: it.declaration })) };
  if (text === null) return [declaration];
  const content = versions.map((it) => ({ ...it, content: it.text ?? '' }));
  return [declaration, { file: file.replace(/[^/]*$/, 'text.md'), versions: content }];
}
