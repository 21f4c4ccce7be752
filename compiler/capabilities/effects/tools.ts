/** The field that names the file which a tool of the host writes. */
export const FILE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['Edit', 'file_path'],
  ['Write', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
]);

/** Tools of the host that write no file. */
const READING = new Set(
  'Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TodoRead Agent Task BashOutput TaskOutput KillShell KillBash TaskStop TaskGet TaskList TaskCreate TaskUpdate Skill ToolSearch AskUserQuestion EnterPlanMode ExitPlanMode ListMcpResourcesTool ReadMcpResourceTool SendMessage'.split(
    ' ',
  ),
);
/** Tools of vade's own servers: they write no file of the work. */
const OWN = /^mcp__(?:vade(?:mecum)?(?:-[\w-]+)?__.|.+__(?:recall_instruction|explain_recall|close_recall)$)/;

/** Whether a tool is known to write no file: by the host, by vade, or because a role lists it as reading only. */
export function onlyReads(tool: string, listed: readonly string[] = []): boolean {
  return READING.has(tool) || OWN.test(tool) || listed.includes(tool);
}

/** Whether nothing is known of what a tool writes: it is judged by the paths among its inputs. */
export function isUnknownTool(tool: string, listed: readonly string[] = []): boolean {
  return tool !== 'Bash' && !FILE_FIELDS.has(tool) && !onlyReads(tool, listed);
}

/** Fields of a tool's input whose text is a path, whatever it looks like. */
const PATH_FIELD =
  /(^|_)(path|root|file|filename|dir|directory|folder|dest|destination|target|to|output|uri|notebook)s?$|Path$|File$/i;
/** A text that can be a path: one line without spaces, and with a slash or an ending. */
const LIKE_PATH = /^(?![a-z][\w+.-]*:\/\/)\S*(?:\/|\.\w{1,8}$)\S*$/i;
/** The files that a patch names. */
const PATCHED = /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]\/)?)([^\t\n]+)/gm;
const MAX_PATHS = 2000;
const MAX_PATH = 4096;

/** The paths in the input of a tool that nothing is known of. Untrusted input. @throws if there are too many */
export function pathsIn(input: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>();
  const open: { name: string; value: unknown }[] = [{ name: '', value: input }];
  for (const { name, value } of open) {
    if (typeof value === 'string') for (const it of pathsOf(name, value)) found.add(it);
    else if (Array.isArray(value)) for (const it of value) open.push({ name, value: it });
    else if (typeof value === 'object' && value !== null)
      for (const [key, it] of Object.entries(value)) open.push({ name: key, value: it }, { name: '', value: key });
    if (found.size > MAX_PATHS) throw new TypeError('the input names too many files');
  }
  return [...found];
}

function pathsOf(name: string, text: string): string[] {
  const plain = text.replace(/^file:\/\//i, '').trim();
  const isPath = PATH_FIELD.test(name) ? !/[\n\0]/.test(plain) && !/^[a-z]+:\/\//i.test(plain) : LIKE_PATH.test(plain);
  if (isPath) return plain === '' || plain.length > MAX_PATH ? [] : [plain];
  return [...text.matchAll(PATCHED)].flatMap(([, file = '']) => (file.trim() === '/dev/null' ? [] : [file.trim()]));
}
