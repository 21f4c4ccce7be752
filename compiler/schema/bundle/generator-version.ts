/** Changes whenever the paraphrases of the coverage gate, or the meaning of "found", change. */
const GENERATOR_VERSION = '1';

/** The version of the parser `compromise`; a test compares it with package.json. */
export const PARSER_VERSION = '14.17.0';

/** sha256 of the lexicon; a test compares it with the file. */
export const LEXICON_DIGEST = '3208beea62678683f20f276947bbc61a29d738c0dda225acb0304f25f6655c5c';

/** Names the paraphrase generator with all its dependencies; a server can compare it without loading them. */
export const GENERATOR = `vademecum-paraphrase/${GENERATOR_VERSION} compromise/${PARSER_VERSION} lexicon/${LEXICON_DIGEST}`;
