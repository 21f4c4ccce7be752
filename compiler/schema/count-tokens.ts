/** Counts cl100k tokens; a port, so that the core does not depend on a tokenizer. */
export type CountTokens = (text: string) => number;
