/** Commands by which a host is operated, of those that take arguments: they say nothing about a task. */
const HOST_COMMAND =
  /^\/(add-dir|agents|btw|bug|color|compact|config|context|continue|copy|effort|export|fast|feedback|fork|hooks|ide|login|mcp|memory|model|output-style|permissions|plugin|rename|resume|rewind|sandbox|skills|status|statusline|tasks|theme|vim|voice)(?=\s|$)/i;

/** A prompt that begins so is a message of the host itself; its user wrote none of it. */
const HOST_MESSAGE =
  /^(<(bash|command|local-command|subagent|task|teammate|turn|user_shell)[\w-]*[ >]|\[Request interrupted by user|Caveat: The messages below|This session is being continued from a previous)/;

/** Blocks that a host puts beside the words of its user. */
const BLOCKS =
  /<(system-reminder|environment_context|user_instructions|ide_(?:diagnostics|opened_file|selection)|user-prompt-submit-hook)>/g;

/** Marks of an image or of a pasted text. */
const MARKS = /\[(?:Image|Pasted text|Audio|File)(?: #\d+|:)[^[\]\n]*\]/g;

/** The name of a command at the start of a prompt; a path has a second slash. */
const COMMAND = /^\/[a-z0-9][\w.:-]*(?=\s|$)/i;

/** Characters that are recalled of the start and of the end of a long prompt. */
const END = 1000;

const QUOTED = /^\s*>/;
/** A fence that begins a line; with further back-ticks behind it, it is code within the line. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_WITHIN = /`{3,}/;
const MEANINGFUL = /[\p{L}\p{N}]/u;

/**
 * The part of a user's prompt that is recalled: without a command's name, fenced blocks, quoted lines, and what its
 * host put in; the start and the end of a long one. Null if nothing is to be recalled. The cost is linear.
 */
export function promptIntent(prompt: string): string | null {
  const text = prompt.trim();
  if (HOST_MESSAGE.test(text)) return null;
  const said = withoutBlocks(text).replace(MARKS, ' ').trim();
  if (HOST_COMMAND.test(said)) return null;
  const own = withoutPasted(said.replace(COMMAND, '')).trim();
  return MEANINGFUL.test(own) ? bothEnds(own) : null;
}

/** A text without the blocks of its host. One that does not end reaches to the end. */
function withoutBlocks(prompt: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: open, 1: tag, index } of prompt.matchAll(BLOCKS)) {
    if (index < from) continue;
    kept += prompt.slice(from, index);
    const end = prompt.indexOf(`</${tag}>`, index + open.length);
    from = end < 0 ? prompt.length : end + `</${tag}>`.length;
  }
  return kept + prompt.slice(from);
}

/**
 * A text without quoted lines and fenced blocks. A fence that begins a line ends as in Markdown, one within a line at
 * the next one; a fence that is not closed reaches to the end.
 */
function withoutPasted(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isWithin = false;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closes(line.trim(), fence)) fence = undefined;
      continue;
    }
    if (!isWithin && QUOTED.test(line)) continue;
    if (!isWithin) fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) continue;
    const parts = line.split(FENCE_WITHIN);
    kept.push(parts.filter((_, i) => (i % 2 === 1) === isWithin).join(' '));
    if (parts.length % 2 === 0) isWithin = !isWithin;
  }
  return kept.join('\n');
}

function closes(line: string, fence: string): boolean {
  return line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length);
}

function bothEnds(text: string): string {
  if (text.length <= 2 * END) return text;
  // a cut may leave half of a surrogate pair
  return `${text.slice(0, END)}\n${text.slice(-END)}`.toWellFormed();
}
