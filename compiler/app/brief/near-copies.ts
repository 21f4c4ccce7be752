import type { BriefAnswer } from '../../brief/read-answer.ts';
import { findCopies, type Said } from '../../lint/rules/likeness.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { probesOf, recalledUnits } from '../preview/read-gardens.ts';
import { phrasesNow, type Handbook } from './open-handbook.ts';

/** Kind of text that contains a known sentence. */
type Kind = 'trigger' | 'phrase' | 'probe' | 'answer';

/** A sentence of an answer that says nearly what another one says. */
export interface NearCopy {
  readonly unit: string;
  readonly sentence: string;
  readonly like: string;
  readonly of: { readonly unit: string; readonly kind: Kind };
}

/**
 * Sentences of an answer that nearly copy a trigger, a phrase or a probe. A copied trigger finds nothing new, and a
 * probe whose words find its unit proves nothing.
 */
export function nearCopies(handbook: Handbook, garden: string, answer: BriefAnswer): NearCopy[] {
  const { sentences, declined, id } = answer;
  const said = sentences.map(({ unit, text }): Said<NearCopy['of']> => ({ of: { unit, kind: 'answer' }, text }));
  // new phrases take the place of those that their units have
  const replaced =
    id.subject.kind === 'phrases' ? new Set([...declined, ...sentences.map(({ unit }) => unit)]) : new Set<string>();
  const copies = findCopies(said, knownIn(handbook, garden, replaced));
  return copies.map(({ copy, like }) => ({ unit: copy.of.unit, sentence: copy.text, like: like.text, of: like.of }));
}

/** All that finds or asks for units of a garden now; shared units compete in every one. */
function knownIn(handbook: Handbook, garden: string, replaced: ReadonlySet<string>): Said<NearCopy['of']>[] {
  const agents = [...handbook.configuration.agents.keys()];
  const gardens = garden === SHARED ? [SHARED, ...agents] : [garden];
  const units = new Set<Unit>(gardens.flatMap((it) => recalledUnits(handbook, it)));
  const phrases = gardens.flatMap((it) => [...phrasesNow(handbook, it)]).filter(([unit]) => !replaced.has(unit));
  const of = (kind: Kind, unit: string, texts: readonly string[]) =>
    texts.map((text) => ({ of: { unit, kind }, text }));
  return [
    ...[...units].flatMap((it) => of('trigger', it.name, it.delivery.load_triggers.intents)),
    ...phrases.flatMap(([unit, texts]) => of('phrase', unit, texts)),
    ...gardens
      .flatMap((it) => probesOf(handbook, it))
      .flatMap((it) => of('probe', it.required.join(', '), [it.intent])),
  ];
}
