import { z } from 'zod';

/** Languages that a handbook can be in, by their primary subtag of BCP 47, with their names. */
export const LANGUAGES = {
  ar: 'Arabic',
  bg: 'Bulgarian',
  cs: 'Czech',
  da: 'Danish',
  de: 'German',
  el: 'Greek',
  en: 'English',
  es: 'Spanish',
  fi: 'Finnish',
  fr: 'French',
  he: 'Hebrew',
  hi: 'Hindi',
  hu: 'Hungarian',
  id: 'Indonesian',
  it: 'Italian',
  ja: 'Japanese',
  km: 'Khmer',
  ko: 'Korean',
  lo: 'Lao',
  my: 'Burmese',
  nb: 'Norwegian',
  nl: 'Dutch',
  pl: 'Polish',
  pt: 'Portuguese',
  ro: 'Romanian',
  ru: 'Russian',
  sv: 'Swedish',
  th: 'Thai',
  tr: 'Turkish',
  uk: 'Ukrainian',
  vi: 'Vietnamese',
  zh: 'Chinese',
} as const;

export type Language = keyof typeof LANGUAGES;

/** The language of a text where none is declared; the only one that the built-in vectors and the coverage gate know. */
export const ENGLISH: Language = 'en';

export const Language = z.enum(
  Object.keys(LANGUAGES) as [Language, ...Language[]],
  `write the primary subtag of its language: ${Object.keys(LANGUAGES).join(', ')}`,
);

/** The language of an agent's handbook: its own, or that of the deployment. */
export function languageOf(
  org: { readonly language?: Language | undefined },
  agent: { readonly language?: Language | undefined } | null,
): Language {
  return agent?.language ?? org.language ?? ENGLISH;
}
