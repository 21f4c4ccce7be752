/** A longer command is denied: nobody reads it either. */
export const MAX_BYTES = 256 * 1024;
/** Nodes of all trees that one command leads to. */
export const MAX_NODES = 5_000;
/** Words of one script, plain ones too; a here-document is none. */
export const MAX_WORDS = 16_384;
/** Maximum depth of nested trees, shells and wrappers. */
export const MAX_DEPTH = 120;
/** Maximum number of values of a word; more count as one unknown value. */
export const MAX_ALTERNATIVES = 16;
/** Maximum number of times that a command is read again because a later part of it gave a name a value. */
export const MAX_PASSES = 6;
/** Maximum number of symbolic links that one command may create. */
export const MAX_LINKS = 64;
/** Maximum number of files that one command may write, move or remove by name. */
export const MAX_WRITES = 2_000;
