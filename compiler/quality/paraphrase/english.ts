import { englishParser } from '../english-parser.ts';

/** The grammatical form of a word. */
export type Form = 'plain' | 'third' | 'past' | 'participle' | 'gerund' | 'plural';

/** One word of a parsed text. */
export interface Word {
  /** As written, with its punctuation and without spaces. */
  readonly text: string;
  /** Its dictionary form, in lower case. */
  readonly lemma: string;
  readonly part: 'noun' | 'verb' | 'adjective' | 'adverb' | 'other';
  readonly form: Form;
}

/** The package's internal inflections; its public interface parses a whole text for each word. */
interface Inflections {
  readonly two: {
    readonly transform: {
      readonly verb: {
        readonly conjugate: (verb: string, model: unknown) => Readonly<Partial<Record<string, string>>>;
        readonly toInfinitive: (verb: string, model: unknown, form: string) => string;
      };
      readonly noun: {
        readonly toPlural: (noun: string, model: unknown) => string;
        readonly toSingular: (noun: string, model: unknown) => string;
      };
    };
  };
}

interface Inflector {
  readonly verbs: Inflections['two']['transform']['verb'];
  readonly nouns: Inflections['two']['transform']['noun'];
  readonly model: unknown;
}

let opened: Inflector | undefined;

/** Opened at the first word: without one, the parser is not loaded. */
function inflector(): Inflector {
  return (opened ??= openInflector());
}

function openInflector(): Inflector {
  const nlp = englishParser();
  const { verb, noun } = (nlp.methods() as unknown as Inflections).two.transform;
  return { verbs: verb, nouns: noun, model: nlp.model() };
}

const singular = (noun: string): string => inflector().nouns.toSingular(noun, inflector().model);

/** The rest of a longer intent is ignored: it says little and takes long to parse. */
const MAX_CHARACTERS = 300;

interface Term {
  readonly text: string;
  readonly pre: string;
  readonly post: string;
  readonly tags: readonly string[];
}

/** Splits a text into words, each with its part of speech and form. */
export function parseEnglish(text: string): Word[] {
  const plain = text.normalize('NFKC').slice(0, MAX_CHARACTERS).replace(/\s+/g, ' ').trim();
  const sentences = englishParser()(plain).json({ terms: { tags: true } }) as { terms: Term[] }[];
  const words: Word[] = [];
  let open = '';
  for (const { text: term, pre, post, tags } of sentences.flatMap((it) => it.terms)) {
    // the second half of a contraction has no text of its own
    if (term === '') continue;
    open += `${pre}${term}${post}`.trimStart();
    // the parts of `low-priority` are one word
    if (/[-/]$/.test(post)) continue;
    words.push(wordOf(open.trim(), tags));
    open = '';
  }
  if (open !== '') words.push(wordOf(open.trim(), []));
  return words.map((word, i) => disambiguated(words, word, i));
}

function wordOf(text: string, tagged: readonly string[]): Word {
  const tags = new Set(tagged);
  const bare = bareOf(text).toLowerCase();
  const other: Word = { text, lemma: bare, part: 'other', form: 'plain' };
  if (/^(?:my|our|your|their|his|her|its)$/.test(bare)) return other;
  if (!/^[a-z][a-z'-]*$/.test(bare) || /['’]/.test(bare) || tags.has('Pronoun') || tags.has('Determiner')) return other;
  if (/^(?:Copula|Auxiliary|Modal|Particle|Conjunction|Preposition|QuestionWord)$/m.test([...tags].join('\n')))
    return other;
  if (tags.has('Gerund')) return { text, ...verbOf(bare, 'gerund') };
  if (tags.has('Participle')) return { text, ...verbOf(bare, 'participle') };
  if (tags.has('PastTense')) return { text, ...verbOf(bare, 'past') };
  if (tags.has('Infinitive')) return { text, ...verbOf(bare, 'plain') };
  if (tags.has('PresentTense')) return { text, ...verbOf(bare, 'third') };
  if (tags.has('Plural')) return { text, lemma: singular(bare), part: 'noun', form: 'plural' };
  if (tags.has('Noun')) return { ...other, part: 'noun' };
  if (tags.has('Adjective')) return { ...other, part: 'adjective' };
  return tags.has('Adverb') ? { ...other, part: 'adverb' } : other;
}

const FORMS: Readonly<Record<Form, string>> = {
  plain: 'Infinitive',
  third: 'PresentTense',
  past: 'PastTense',
  participle: 'Participle',
  gerund: 'Gerund',
  plural: 'Plural',
};

function verbOf(word: string, form: Form): Pick<Word, 'lemma' | 'part' | 'form'> {
  const bare = word.toLowerCase();
  const { verbs, model } = inflector();
  const lemma = form === 'plain' ? bare : verbs.toInfinitive(bare, model, FORMS[form]);
  return { lemma, part: 'verb', form };
}

const BE = /^(?:is|are|am|was|were|be|been|being|it['’]s|that['’]s|there['’]s|i['’]m)$/i;
const DETERMINER = /^(?:a|an|the|this|that|these|my|our|your|their|its|all|each|every|who|how|whether)$|['’]s$/i;

/** Verbs that often begin a task, and that the package often takes for another part of speech. */
const BEGINNERS = new Set(
  (
    'alert assess audit block book build calm cancel change check clean clear close compare convert cut define delete deploy dial draft edit estimate fix flip go ' +
    'hand hire keep link list log map merge note offer onboard open pass pick plan play post prepare publish put rank rate ' +
    'remind reply reproduce reset restart restore review revoke roll rotate route run scan schedule set share ship sign sort split ' +
    'store summarise summarize test track translate triage try turn update upgrade use verify vet weigh wrap write'
  ).split(' '),
);

/** Decides by its position what an ambiguous word is. */
function disambiguated(words: readonly Word[], word: Word, at: number): Word {
  const bare = bareOf(word.text).toLowerCase();
  const before = words[at - 1];
  const next = words[at + 1];
  if (at === 0 && next && word.form === 'plain' && word.part !== 'verb') {
    const isTask = BEGINNERS.has(bare) ? next.form !== 'third' && !BE.test(next.text) : DETERMINER.test(next.text);
    if (isTask && (BEGINNERS.has(bare) || word.part === 'noun')) return { ...word, ...verbOf(bare, 'plain') };
  }
  const isMany =
    word.part === 'verb' && word.form === 'third' && words[0]?.part === 'verb' && words[0].form === 'plain';
  // `leave handover notes`: an imperative has no second verb in the third person, so `notes` is a noun
  if (isMany && at > 0 && before?.part !== 'other')
    return { ...word, lemma: singular(bare), part: 'noun', form: 'plural' };
  const isState =
    word.part === 'verb' && word.form === 'plain' && [before, words[at - 2]].some((it) => it && BE.test(it.text));
  return isState ? { ...word, part: 'adjective' } : word;
}

/** A word without the punctuation around it. */
function bareOf(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** A word in another form, with the punctuation that was around it. */
export function reform(word: Word, form: Form): Word {
  const bare = bareOf(word.text);
  return { ...word, form, text: bare === '' ? word.text : word.text.replace(bare, () => inflect(word.lemma, form)) };
}

/** A word or phrase in another form: a verb's first word changes, a noun's last one. */
export function inflect(phrase: string, form: Form): string {
  if (form === 'plain') return phrase;
  return form === 'plural' ? pluralOf(phrase) : conjugated(phrase, form);
}

function conjugated(phrase: string, form: Form): string {
  const [verb = '', ...rest] = phrase.split(' ');
  const { verbs, model } = inflector();
  const forms = verbs.conjugate(verb, model);
  const found = forms[FORMS[form]] ?? (form === 'participle' ? forms['PastTense'] : undefined) ?? '';
  const isUnknown = found === '' || (form === 'gerund' && found === verb);
  return [isUnknown ? regular(verb, form) : found, ...rest].join(' ');
}

/** Regular inflection, for verbs that the package does not know. */
function regular(verb: string, form: Form): string {
  const stem = verb.replace(/e$/, '');
  if (form === 'gerund') return `${stem}ing`;
  return form === 'third' ? `${verb}s` : verb.endsWith('ut') || verb.endsWith('et') ? verb : `${stem}ed`;
}

function pluralOf(phrase: string): string {
  if (/[^s]s$/.test(phrase) || /^[A-Z]+$/.test(phrase)) return phrase;
  const words = phrase.split(' ');
  const last = words.pop() ?? '';
  const { nouns, model } = inflector();
  return [...words, nouns.toPlural(last, model)].join(' ');
}
