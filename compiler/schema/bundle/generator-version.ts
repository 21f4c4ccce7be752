/** Changes whenever the paraphrases of the coverage gate, or the meaning of "found", change. */
const GENERATOR_VERSION = '3';

/** The version of the parser `compromise`; a test compares it with package.json. */
export const PARSER_VERSION = '14.17.0';

/** sha256 of the lexicon; a test compares it with the file. */
export const LEXICON_DIGEST = 'ae6022f95c2ff61a3b1f82df34b97adf485c59cf3fbc51b0883a596340b60cc4';

/** Names the paraphrase generator with all its dependencies; a server can compare it without loading them. */
export const GENERATOR = `vademecum-paraphrase/${GENERATOR_VERSION} compromise/${PARSER_VERSION} lexicon/${LEXICON_DIGEST}`;
