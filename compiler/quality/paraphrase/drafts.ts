import { z } from 'zod';
import { GENERATOR } from '../../schema/bundle/generator-version.ts';
import type { KeptResults } from '../../schema/kept-results.ts';

/**
 * A trigger in other words. A `sound` one is put as a person would put it; a `mechanical` one only has other words
 * around the trigger, because no frame fits its form.
 */
export const Paraphrase = z.strictObject({ text: z.string(), kind: z.enum(['sound', 'mechanical']) });

export type Paraphrase = Readonly<z.infer<typeof Paraphrase>>;

/** The first drafts of an intent, and whether there are no more. */
const Made = z.strictObject({ drafts: z.array(Paraphrase), isWhole: z.boolean() });

/** Makes the drafts of an intent one by one: each takes time, and a few are enough. */
export type MakeDrafts = (intent: string) => Iterator<Paraphrase>;

/** Known drafts, with the rest of those that are not made yet. */
interface KnownDrafts extends z.infer<typeof Made> {
  rest: Iterator<Paraphrase> | null;
}

/** Maximum number of remembered intents; with more, all are forgotten, so that a large handbook cannot fill memory. */
const REMEMBERED = 2000;

/**
 * Drafts that are made once for an intent: several gardens have the triggers of a shared unit, and each garden leaves
 * out other drafts.
 */
export function createDrafts(make: MakeDrafts) {
  const memory = new Map<string, KnownDrafts>();
  const knownOf = (intent: string, kept: KeptResults | null): KnownDrafts => {
    const known = memory.get(intent);
    if (known) return known;
    if (memory.size >= REMEMBERED) memory.clear();
    const found = kept?.find('drafts', inputsOf(intent), Made);
    const fresh: KnownDrafts = { ...(found ?? { drafts: [], isWhole: false }), rest: null };
    memory.set(intent, fresh);
    return fresh;
  };
  return (intent: string, kept: KeptResults | null) => {
    const known = knownOf(intent, kept);
    const keep = () => kept?.keep('drafts', inputsOf(intent), { drafts: known.drafts, isWhole: known.isWhole });
    return { drafts: replayed(known, () => make(intent)), keep };
  };
}

const inputsOf = (intent: string) => `${GENERATOR}\n${intent}`;

/** The known drafts, then those that are made now. */
function* replayed(known: KnownDrafts, make: () => Iterator<Paraphrase>): Generator<Paraphrase> {
  for (let at = 0; ; at++) {
    if (at === known.drafts.length && !makeNext(known, make)) return;
    const draft = known.drafts[at];
    if (draft) yield draft;
  }
}

/** Makes one more draft. @returns false if there are no more */
function makeNext(known: KnownDrafts, make: () => Iterator<Paraphrase>): boolean {
  if (known.isWhole) return false;
  known.rest ??= skipped(make(), known.drafts.length);
  const next = known.rest.next();
  if (next.done === true) known.isWhole = true;
  else known.drafts.push(next.value);
  return next.done !== true;
}

function skipped(drafts: Iterator<Paraphrase>, count: number): Iterator<Paraphrase> {
  for (let at = 0; at < count; at++) drafts.next();
  return drafts;
}
