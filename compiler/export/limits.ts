/** Limits of the formats; README of this folder names the sources. */

/** Codex stops reading the files of a project at 32 KiB (`project_doc_max_bytes`). */
export const AGENTS_MD_BYTES = 32_768;

/** Agent Skills: a name, and the description that decides whether a skill is loaded. */
export const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SKILL_NAME_LETTERS = 64;
export const SKILL_DESCRIPTION_LETTERS = 1024;

/** Agent Skills and Cursor: a longer file should be split. */
export const SKILL_LINES = 500;
export const CURSOR_LINES = 500;

/** Copilot's code review reads no more of a file; its chat reads all of it. */
export const COPILOT_LETTERS = 4000;

/** Cursor and Copilot name no limit for a description; that of skills is kept. */
export const DESCRIPTION_LETTERS = SKILL_DESCRIPTION_LETTERS;
