import { z } from 'zod';
import type { CapabilityGarden } from '../schema/bundle/capability-garden.ts';
import type { Garden } from '../schema/bundle/garden.ts';
import { CAPABILITIES } from '../schema/uri.ts';
import { changedBetween, type ChangedFact } from '../trust/unmutated-facts.ts';
import type { Previous } from './previous-bundle.ts';

type AnyGarden = Garden | CapabilityGarden;

/**
 * DESIGN §6.2: the facts, atoms and roles of gardens that an earlier bundle published with another text. The order of
 * commits does not count.
 *
 * @param withdrawn by orders in the sources, as `withdrawnKey`
 */
export function changedSince(
  previous: Previous,
  gardens: readonly AnyGarden[],
  withdrawn: ReadonlySet<string>,
): ChangedFact[] {
  const all = new Set([...withdrawn, ...previous.withdrawn()]);
  return gardens.flatMap((garden) => changedIn(previous, garden, all));
}

/** A garden with the published digest has not changed, even if its files are damaged. */
function changedIn(previous: Previous, garden: AnyGarden, withdrawn: ReadonlySet<string>): ChangedFact[] {
  const { name, digest, statement } = garden;
  if (previous.root.predicate.gardens.some((it) => it.garden === name && it.digest === digest)) return [];
  const before = name === CAPABILITIES ? previous.capabilities() : previous.statement(name);
  const changed = changedBetween(before?.subject ?? [], statement.subject, withdrawn);
  return changed.length === 0 ? [] : withSources(garden, changed);
}

const FILES = ['facts.json', 'history.json', 'atoms.json', 'roles.json'];
const SourcesOfFacts = z.object({ facts: z.array(z.object({ uri: z.string(), file: z.string() })) });

function withSources({ files }: AnyGarden, changed: readonly ChangedFact[]): ChangedFact[] {
  const listed = FILES.flatMap((path) => files.get(path) ?? []);
  const facts = listed.flatMap((bytes) => SourcesOfFacts.parse(JSON.parse(bytes.toString('utf8'))).facts);
  const sources = new Map(facts.map(({ uri, file }) => [uri, file]));
  return changed.map((it) => ({ ...it, file: sources.get(it.fact_uri) ?? '' }));
}
