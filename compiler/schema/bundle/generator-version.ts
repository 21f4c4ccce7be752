/** Changes with every change of what the coverage gate asks, and of what counts as found. */
const GENERATOR_VERSION = '1';

/** The release of `compromise` that parses; a test holds it against package.json. */
export const PARSER_VERSION = '14.17.0';

/** sha256 of the lexicon; a test holds it against the file. */
export const LEXICON_DIGEST = '3208beea62678683f20f276947bbc61a29d738c0dda225acb0304f25f6655c5c';

/** Names the gate's generator with everything that its words depend on; a server knows it without any of that. */
export const GENERATOR = `vademecum-paraphrase/${GENERATOR_VERSION} compromise/${PARSER_VERSION} lexicon/${LEXICON_DIGEST}`;
