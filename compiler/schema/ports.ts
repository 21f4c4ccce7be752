/** Counts cl100k tokens; a port, so that the core needs no tokenizer. */
export type CountTokens = (text: string) => number;
