/** Limits of the formats; README of this folder names the sources. */

/** Codex reads no more of the files from the top of a project to a folder, together (`project_doc_max_bytes`). */
export const AGENTS_MD_BYTES = 32_768;

/** Agent Skills: a name, and the description that decides whether a skill is loaded. */
export const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SKILL_NAME_LETTERS = 64;

/** Agent Skills and Cursor: a longer file should be split. */
export const MOST_LINES = 500;

/** Copilot's code review reads no more of a file; its chat reads all of it. */
export const COPILOT_LETTERS = 4000;

/** Of skills; Cursor and Copilot name no limit. */
export const DESCRIPTION_LETTERS = 1024;

/** Cost of a file above the texts of its units: a share of their tokens, or these where that is less. */
export const MOST_OVERHEAD = { share: 0.05, tokens: 60 } as const;
