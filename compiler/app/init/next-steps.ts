import { typedWord } from '../../schema/shell-word.ts';
import { FIRST_AGENT, OLD_FILE_STAYS } from '../../schema/source/placeholders.ts';
import { MOST_SKILL_FOLDERS } from '../../schema/source/skill-folders.ts';
import type { Addition } from './existing-files.ts';
import { ADMIN_KEY, SIGNING_KEY, TRUST_ROOT } from './founder.ts';

/** The result of `vade init`, as far as it decides the next steps. */
export interface Started {
  /** As it was given. */
  readonly dir: string;
  /** Whether git knows the folder. */
  readonly inRepository: boolean;
  /** Files and folders of instructions that the project has already. */
  readonly found: readonly string[];
  /** Folders of skills, which are units where they lie. */
  readonly skills: readonly string[];
  readonly admin: string | null;
  /** Lines that `.gitignore` lacked, where it was there. */
  readonly ignored: readonly string[];
  /** The same of `.gitattributes`. */
  readonly attributes: readonly string[];
  readonly toAdd: readonly Addition[];
  readonly action: string | undefined;
}

/**
 * From here to an answer on this machine; `.mcp.json` connects a host to the same bundle, without a key.
 *
 * @param written files and folders that were written or changed, and that git does not ignore
 */
export function nextSteps({ dir, inRepository, found }: Started, written: readonly string[]): string[] {
  const message = 'git commit -m "Start the handbook"';
  const paths = written.map(typedWord).join(' ');
  const from = found.map((it) => `--from ${typedWord(it)} `).join('');
  return [
    ...(dir === '.' ? [] : [`cd ${typedWord(dir)}`]),
    ...(inRepository ? [] : ['git init']),
    ...(from === '' ? [] : [`vade migrate ${from}--agent ${FIRST_AGENT} --write`, `# ${OLD_FILE_STAYS}`]),
    // other changes in a repository do not belong to this commit
    inRepository ? `git add ${paths} && ${message} ${paths}` : `git add . && ${message}`,
    'vade compile --dev',
    `vade recall --dev --agent ${FIRST_AGENT} --intent "I am done for now"`,
  ];
}

/** Notes beside the next steps, as comments of a shell. */
export function notesOn(started: Started): string[] {
  const { dir, found, skills, admin, ignored, attributes, toAdd, action } = started;
  const here = dir === '.' ? 'this folder' : dir;
  return [
    ...(admin === null ? [] : [`${admin} is the administrator; their key is ${ADMIN_KEY}`]),
    ...(ignored.length === 0 ? [] : [`added to .gitignore: ${ignored.join(' ')}`]),
    ...(attributes.length === 0 ? [] : [`added to .gitattributes: ${attributes.join(', ')}`]),
    ...toAdd.flatMap(({ file, text }) => [`${file} existed and is unchanged; add and commit:`, ...indented(text)]),
    ...(toAdd.some(({ file }) => !file.startsWith('.vscode/'))
      ? ['or let vade connect --yes add it, for Claude Code']
      : []),
    ...(found.length === 0 ? [] : [`found ${found.join(', ')}; without --write, vade migrate shows what it proposes`]),
    ...(skills.length === 0
      ? []
      : [`the skills of ${skills.join(', ')} stay where they are: agent.yaml names their folders; commit them too`]),
    ...(skills.length <= MOST_SKILL_FOLDERS
      ? []
      : [
          `only the first ${MOST_SKILL_FOLDERS} of these folders have room in agent.yaml: name a folder above the others there`,
        ]),
    `then start Claude Code in ${here}: it reads .mcp.json and .claude/ there; for Codex, Gemini CLI, Cursor: vade connect`,
    'for work in another folder, name this one there: vade mcp --bundle <folder>/bundle --trust <folder>/instructions/trust/1.json',
    `to serve your own agents: vade key create --agent ${FIRST_AGENT} && vade serve --dev`,
    `to sign a bundle for other machines: vade compile --trust ${TRUST_ROOT} --key ${SIGNING_KEY}`,
    onGithub(action),
  ].map((line) => `# ${line}`);
}

const indented = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);

/** How a handbook comes to its workflows; with them, what they still need. */
function onGithub(action: string | undefined): string {
  return action === undefined
    ? 'on GitHub: vade workflows --action owner/repository@<commit> adds workflows that check and publish it'
    : `on GitHub: gh secret set VADE_SIGNING_KEY < ${SIGNING_KEY}`;
}
