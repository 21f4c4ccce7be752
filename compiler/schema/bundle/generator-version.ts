/** Changes whenever the paraphrases of the coverage gate, or the meaning of "found", change. */
const GENERATOR_VERSION = '2';

/** The version of the parser `compromise`; a test compares it with package.json. */
export const PARSER_VERSION = '14.17.0';

/** sha256 of the lexicon; a test compares it with the file. */
export const LEXICON_DIGEST = '38e2afe2fa638903b14b217034655911fc2c42aad7a6f199018cd1efa88645a0';

/** Names the paraphrase generator with all its dependencies; a server can compare it without loading them. */
export const GENERATOR = `vademecum-paraphrase/${GENERATOR_VERSION} compromise/${PARSER_VERSION} lexicon/${LEXICON_DIGEST}`;
