/**
 * Kinds of files of a coding agent's host. Programs are what a host runs, or a person starts there by name; work is
 * what agents write for the task at hand, and nothing obeys it by itself.
 */
export type HostFileKind = 'rules' | 'skills' | 'settings' | 'programs' | 'work';

/** A file of a host. */
export interface HostFile {
  readonly kind: HostFileKind;
  /** The file, or the folder of files of this kind, as `vade migrate --from` takes it. */
  readonly place: string;
}

/** Folders of hosts, anywhere in a tree: a host obeys what is in them. */
export const HOST_FOLDERS: readonly string[] = [
  ...['.adal', '.agent', '.agents', '.aiassistant', '.amazonq', '.amp', '.antigravity', '.augment', '.bolt'],
  ...['.claude', '.claude-plugin', '.cline', '.clinerules', '.codebuddy', '.codeium', '.codex', '.cody', '.comate'],
  ...['.commandcode', '.continue', '.copilot', '.cortex', '.crush', '.cursor', '.devin', '.factory', '.firebender'],
  ...['.forge', '.gemini', '.gitlab/duo', '.goose', '.greptile', '.grok', '.idx', '.iflow', '.joycode', '.jules'],
  ...['.junie', '.kilo', '.kilocode', '.kimi', '.kiro', '.kode', '.lingma', '.marscode', '.mcpjam', '.mux', '.neovate'],
  ...['.opencode', '.openhands', '.pi', '.pochi', '.qoder', '.qodo', '.qwen', '.roo', '.rovodev', '.ruler'],
  ...['.rulesync', '.sourcegraph', '.tabnine', '.trae', '.trae-cn', '.vibe', '.warp', '.windsurf', '.zencoder'],
];

/** Folders that a host shares with pages for people: the parts of them that it obeys. */
const SHARED_FOLDERS: readonly (readonly [folder: string, parts: string])[] = [
  ['.github', 'agents|chatmodes|copilot-[^/]*|hooks|instructions|prompts|skills'],
  // Spec Kit: the principles of the project, and what its commands run
  ['.specify', 'extensions|memory|presets|scripts|templates'],
];

/** The kind of a file in a folder of a host, by its path below the folder; any other is settings. */
const PARTS: readonly (readonly [HostFileKind, RegExp])[] = [
  ['work', /^(plans|specs)\//i],
  ['skills', /^skills\//i],
  [
    'programs',
    /^((sub)?agents|chatmodes|(cli-|slash-)?commands|droids|extensions|hooks|modes|plugins?|presets|prompts|scripts|templates|tools|workflows)(\/|\.(jsonc?|toml|ya?ml)$)|\.(sh|[cm]?[jt]s|py)$/i,
  ],
  ['settings', /^(cache|history|logs|projects|sessions|todos|transcripts|worktrees)\//i],
  ['rules', /\.mdc?$/i],
];

const escaped = (text: string) => text.replaceAll('.', String.raw`\.`);
const FOLDERS = HOST_FOLDERS.map(escaped).join('|');
// the last such folder of a path, which may have any letter, a line end too
const IN_FOLDER = new RegExp(`^(?:[^]*/)?(?:${FOLDERS})(?=/|$)`, 'i');
const IN_SHARED = SHARED_FOLDERS.map(
  ([folder, parts]) => new RegExp(`^((?:[^]*/)?${escaped(folder)})/(?:${parts})(?=/|$)`, 'i'),
);

/** Names of Markdown that hosts read; below a folder documents have such names in small letters. */
const NAMES = 'agents?|amp|bugbot|claude|codebuddy|crush|gemini|grok|iflow|qwen|replit|warp';
const RULES: readonly RegExp[] = [
  new RegExp(`^(?:${NAMES})(?:\\.\\w+)?\\.md$`, 'i'),
  new RegExp(`(?:^|/)(?:${NAMES.toUpperCase()})(?:\\.\\w+)?\\.md$`),
  new RegExp(`(?:^|/)(?:${FOLDERS}|\\.void)rules[^/]*$`, 'i'),
  /(^|\/)\.(augment-guidelines|goosehints|openhands_instructions|rules)$/i,
];
const SKILL = /(^|\/)SKILL\.md$/;
const SETTINGS: readonly RegExp[] = [
  new RegExp(`(?:^|/)(?:${FOLDERS}|\\.ai)(?:indexing)?(?:ignore|modes)$`, 'i'),
  /(^|\/)(\.mcp\.json|\.aider[^/]*|\.?(crush|firebender|kilo|opencode)\.jsonc?|rulesync(\.local)?\.jsonc?)$/i,
  // programs that review a change obey these
  /(^|\/)(\.coderabbit\.ya?ml|\.pr_agent\.toml|greptile\.json)$/i,
];

/**
 * A file of a coding agent's host; null for any other file. This is the one table for `vade init`, which names rules
 * and skills, for `vade migrate`, which reads them, and for the check of an agent's work, which guards all but work.
 *
 * @param path relative to the top of the tree
 */
export function hostFileAt(path: string): HostFile | null {
  const folder = hostFolderOf(path);
  const inFolder = folder === undefined || folder === path ? null : fileIn(folder, path.slice(folder.length + 1));
  // a host reads a file of rules also where agents write their work
  if (inFolder !== null && inFolder.kind !== 'work') return inFolder;
  if (SKILL.test(path)) return { kind: 'skills', place: skillsOf(path) };
  if (RULES.some((it) => it.test(path))) return { kind: 'rules', place: path };
  const isSettings = folder === path || SETTINGS.some((it) => it.test(path));
  return isSettings ? { kind: 'settings', place: path } : inFolder;
}

/** The innermost folder of a host that a path is in or names; undefined for any other path. */
export const hostFolderOf = (path: string): string | undefined =>
  IN_FOLDER.exec(path)?.[0] ?? IN_SHARED.map((it) => it.exec(path)?.[1]).find((it) => it !== undefined);

function fileIn(folder: string, below: string): HostFile {
  const kind = PARTS.find(([, at]) => at.test(below))?.[0] ?? 'settings';
  const [part = ''] = below.split('/');
  // a folder of nothing but rules is one place
  const isWhole = part === below && /rule[rs]$/i.test(folder);
  return { kind, place: isWhole ? folder : `${folder}/${part}` };
}

/** A folder called skills has many of them; of any other the folder of the skill is its place. */
function skillsOf(path: string): string {
  const own = path.split('/').slice(0, -1);
  const place = own.at(-2)?.toLowerCase() === 'skills' ? own.slice(0, -1) : own;
  return place.length === 0 ? path : place.join('/');
}

/** Whether a hidden folder may have rules or skills of a host. */
export function mayHoldRules(folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLowerCase();
  return IN_FOLDER.test(folder) || PARENTS.has(name);
}

/** Hidden folders of which only a part is a host's. */
const PARENTS: ReadonlySet<string> = new Set([
  ...SHARED_FOLDERS.map(([folder]) => folder),
  ...HOST_FOLDERS.flatMap((it) => (it.includes('/') ? [it.replace(/\/.*/, '')] : [])),
]);
