import type { RecallFact } from '../../compiler/recall/recall-garden.ts';
import type { ListedUnit, Units, UnitsQuery } from '../../compiler/schema/api/units.ts';
import type { Call } from './call.ts';
import { loadRequestedGarden } from './documents.ts';

/** The units that recall can answer with now, by name: neither expired nor withdrawn, nor without a text. */
export function listUnits(call: Call, { limit, after = '', name, content }: UnitsQuery): Units {
  const { recall } = loadRequestedGarden(call);
  const now = call.services.now();
  const served = recall.facts.filter((_, unit) => (recall.until[unit] ?? 0) > now && !recall.withdrawn.has(unit));
  // facts are sorted by name
  const wanted = served.filter((it) => (name === undefined ? it.name > after : it.name === name));
  const page = wanted.slice(0, limit);
  return {
    units: page.map((it) => listed(it, content === 'true')),
    next: wanted.length > page.length ? (page.at(-1)?.name ?? null) : null,
  };
}

function listed({ name, uri, delivery, tokens, digest, content }: RecallFact, withContent: boolean): ListedUnit {
  return { name, fact_uri: uri, description: delivery.description, tokens, digest, ...(withContent && { content }) };
}
