import { reform, type Word } from './english.ts';
import type { Intent } from './intent.ts';

const DETERMINER = /^(?:a|an|the|this|that|these|those|my|our|your|their|his|her|its|some|any|every|each)$/i;
const LINK =
  /^(?:to|for|of|in|on|at|by|with|from|into|about|before|after|between|against|without|during|over|under|who|that|which|when|while|if|because|as|and|or|than|until|until|so|where)$/i;
const PARTICLE = /^(?:up|down|off|out|back|away|on|in|over|through)$/i;

const other = (text: string): Word => ({ text, lemma: text, part: 'other', form: 'plain' });

/** The positions of the main verbs: `approve or decline a plan` has two, and so has `end my run and exit`. */
function headVerbs(words: readonly Word[]): number[] {
  const heads = [0];
  words.forEach(({ part, form }, i) => {
    const link = words[i - 1]?.text ?? '';
    const isHead =
      i > 1 && part === 'verb' && form === 'plain' && (/^and$/i.test(link) || (/^or$/i.test(link) && i === 2));
    if (isHead) heads.push(i);
  });
  return heads;
}

/** `route a task` → `routing a task`; null if the intent is nothing to do. */
export function gerundOf({ slot, words }: Intent): Word[] | null {
  if (slot !== 'verb' || words[0]?.part !== 'verb') return null;
  const heads = new Set(headVerbs(words));
  return words.map((word, i) => (heads.has(i) ? reform(word, 'gerund') : word));
}

/** The parts of a task: its verb, its object, and the rest. */
interface Task {
  readonly verb: readonly Word[];
  readonly object: readonly Word[];
  readonly rest: readonly Word[];
}

function partsOf({ slot, words }: Intent): Task | null {
  const [first, second] = words;
  if (slot !== 'verb' || first?.part !== 'verb' || first.form !== 'plain' || headVerbs(words).length > 1) return null;
  const start = second && PARTICLE.test(second.text) ? 2 : 1;
  const after = words.slice(start);
  const end = after.findIndex(
    ({ text, part }, i) => LINK.test(text) || (i > 0 && part === 'verb') || /[,;:]$/.test(text),
  );
  const object = end < 0 ? after : after.slice(0, end);
  const rest = end < 0 ? [] : after.slice(end);
  const isThing =
    object.some(({ part }) => part === 'noun') && !/^(?:me|us|it|them|him|her|you)$/i.test(object[0]?.text ?? '');
  if (!isThing || /^(?:and|or|who|that|which|whom)$/i.test(rest[0]?.text ?? '')) return null;
  return { verb: words.slice(0, start), object, rest };
}

/** `route a task to a lead` → `a task to route to a lead`. */
export function objectFirst(intent: Intent): Word[] | null {
  const task = partsOf(intent);
  return task && [...task.object, other('to'), ...task.verb, ...task.rest];
}

/** `route a task to a lead` → `a task needs to be routed to a lead`. */
export function passiveOf(intent: Intent, be: 'must be' | 'needs to be'): Word[] | null {
  const task = partsOf(intent);
  if (!task) return null;
  const [verb, ...particle] = task.verb;
  const isMany = task.object.some(({ form }) => form === 'plural');
  const auxiliary = isMany ? be.replace('needs', 'need') : be;
  if (!verb) return null;
  return [...task.object, ...auxiliary.split(' ').map(other), reform(verb, 'participle'), ...particle, ...task.rest];
}

const IS = /^(?:is|are|was|were|am)$/i;
const FINITE =
  /^(?:is|are|was|were|am|has|have|had|can|cannot|can['’]t|could|will|would|should|must|may|might|does|do|did)$/i;
const isFinite = ({ text, part, form }: Word) =>
  FINITE.test(text) || (part === 'verb' && /^(?:third|past|plain)$/.test(form));

/** `a lead missed the deadline` → `a lead missing the deadline`; null if the clause has no such form. */
export function happening({ slot, words }: Intent): Word[] | null {
  const at = words.findIndex((word, i) => i > 0 && isFinite(word));
  const verb = words[at];
  if (slot !== 'clause' || !verb || /^(?:i|he|she|we|they|there)$/i.test(words[0]?.text ?? '')) return null;
  if (/^(?:who|that|which)$/i.test(words[at - 1]?.text ?? '')) return null;
  const after = words.slice(at + 1);
  const hasForm = IS.test(verb.text) || verb.part === 'verb';
  if (!hasForm || after.some((it, i) => isFinite(it) && !/^to$/i.test(after[i - 1]?.text ?? ''))) return null;
  if (verb.part === 'verb') return [...words.slice(0, at), reform(verb, 'gerund'), ...after];
  // `a request is waiting` is `a request waiting`, but `production is down` is `production being down`
  const isShort = after[0]?.part === 'verb' && /^(?:gerund|past|participle)$/.test(after[0].form);
  return [...words.slice(0, at), ...(isShort ? [] : [other('being')]), ...after];
}

const MODAL = /^(?:am|is|are|was|were|can|could|will|would|should|may|must|has|have)$/i;
const SUBJECT = /^(?:i|we|you|he|she|it|they|there|someone|somebody)$/i;

/** `am i allowed to decide` → `whether i am allowed to decide`; null if the order cannot be changed. */
export function indirect({ slot, words }: Intent): readonly Word[] | null {
  if (slot !== 'question') return null;
  const [first, second] = words;
  // if the question word is the subject, the order stays
  if (/^(?:who|what|which)$/i.test(first?.text ?? '') && second?.part === 'verb') return words;
  const at = words.findIndex(({ text }) => MODAL.test(text) || /^(?:do|does|did)$/i.test(text));
  const asks = words.slice(0, at);
  const auxiliary = words[at];
  const after = words.slice(at + 1);
  if (!auxiliary || at > 5 || after.length === 0) return null;
  const opening = asks.length === 0 ? [other('whether')] : asks;
  if (asks.length > 1 && IS.test(auxiliary.text) && LINK.test(after[0]?.text ?? '')) return words;
  // `what is the rate` → `what the rate is`
  const isWhole =
    asks.length > 0 && IS.test(auxiliary.text) && !after.some(({ text, part }) => LINK.test(text) || part === 'verb');
  if (isWhole && !/^how$/i.test(asks[0]?.text ?? '')) return [...asks, ...after, auxiliary];
  const noun = after.findIndex(({ part }, i) => part === 'noun' && after[i + 1]?.part !== 'noun');
  const end = SUBJECT.test(after[0]?.text ?? '') ? 1 : noun + 1;
  if (end === 0) return null;
  const subject = after.slice(0, end);
  const rest = after.slice(end);
  if (MODAL.test(auxiliary.text)) return [...opening, ...subject, auxiliary, ...rest];
  return withoutAuxiliary(auxiliary.text.toLowerCase(), rest, (predicate) => [...opening, ...subject, ...predicate]);
}

/** Removes `do`, `does` or `did`, and gives its form to the verb of the question. */
function withoutAuxiliary(
  auxiliary: string,
  [verb, ...rest]: readonly Word[],
  build: (predicate: Word[]) => Word[],
): Word[] | null {
  if (verb?.part !== 'verb' || verb.form !== 'plain') return null;
  const form = auxiliary === 'does' ? 'third' : auxiliary === 'did' ? 'past' : 'plain';
  return build([form === 'plain' ? verb : reform(verb, form), ...rest]);
}

/** Telegraphic style: no articles, no forms of `be`. */
export function telegram({ words }: Intent): Word[] {
  const telegraphic = words.filter(
    ({ text }) => !DETERMINER.test(text) && !/^(?:is|are|am|was|were|i|i['’]m|there)$/i.test(text),
  );
  return telegraphic.length === 0 ? [...words] : telegraphic;
}
