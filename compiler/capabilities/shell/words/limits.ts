/** A longer command is denied: nobody reads it either. */
export const MAX_BYTES = 256 * 1024;
/** Nodes of all trees that one command leads to. */
export const MAX_NODES = 5_000;
/** Words of one script, plain ones too; a here-document is none. */
export const MAX_WORDS = 16_384;
/** How deep trees, nested shells and wrappers may stand in each other. */
export const MAX_DEPTH = 120;
/** How many values a word may have; more are one unknown value. */
export const MAX_ALTERNATIVES = 16;
/** How often a command is read again because a later part of it gave a name a value. */
export const MAX_PASSES = 6;
/** How many symbolic links one command may make. */
export const MAX_LINKS = 64;
/** How many files one command may name that it writes, moves or removes. */
export const MAX_WRITES = 2_000;
