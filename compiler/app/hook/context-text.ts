import { namesText, pageText, pointerText, type PageText, type SkillStart } from '../../schema/page-text.ts';

/** A unit of a garden, as a context shows it. */
export interface Page extends PageText {
  readonly description: string;
  /** cl100k tokens of the content. */
  readonly tokens: number;
  /** Of a skill on the agent's disk: its content is its description alone. */
  readonly start?: SkillStart | undefined;
}

/** Units to give to an agent, in their order. */
export interface Gift {
  /** A text that stands before all others, such as a boot stub. */
  readonly before?: string;
  readonly pages?: readonly Page[] | undefined;
  /** Units that may fit, by name and description alone. */
  readonly names?: readonly Page[] | undefined;
  /** Units whose text the agent has already. */
  readonly above?: readonly Page[];
  /** A text after all others. */
  readonly after?: string;
}

/** A context, and the units whose text is in it. */
export interface Context {
  readonly text: string;
  readonly pages: readonly Page[];
  readonly names: readonly Page[];
}

/** Hosts replace a longer context by a preview and a file. */
const MOST_CHARACTERS = 9000;

/** Units that a context names. */
const MOST_NAMED = 20;

/** Of these the ones with their descriptions. */
const DESCRIBED = 5;

/** Tokens of a page's heading and fence. */
export const FRAME_TOKENS = 16;

/** The text of what is given, with as many pages as fit; a page that does not fit is named, never cut. */
export function contextText({ before = '', pages = [], names = [], above = [], after = '' }: Gift): Context {
  const given: Page[] = [];
  const left: Page[] = [];
  let room = MOST_CHARACTERS - before.length - after.length - MOST_NAMED * MOST_ENTRY_CHARACTERS;
  for (const page of pages) {
    const size = shown(page).length + 2;
    (size <= room ? given : left).push(page);
    if (given.at(-1) === page) room -= size;
  }
  // those beyond are not remembered as named, so they come with a later event
  const named = [...left, ...names].slice(0, MOST_NAMED);
  const parts = [
    before,
    ...given.map(shown),
    namesText(choiceOf(named), named, DESCRIBED).join('\n'),
    aboveText(above),
    after,
  ];
  return { text: parts.filter((it) => it !== '').join('\n\n'), pages: given, names: named };
}

const shown = (page: Page) => (page.start ? pointerText(page, page.start) : pageText(page));

/** A line of a name and a description, which have at most 64 and 120 characters. */
const MOST_ENTRY_CHARACTERS = 190;

/** A host starts the skills that it lists by their names, without a recall. */
const choiceOf = (named: readonly Page[]) =>
  named.every(({ name, start }) => start?.listedName === name)
    ? 'If one fits, start it: `Skill(<name>)`:'
    : 'If one fits, get it with `recall_instruction` (`manifest_hint`):';

const aboveText = (above: readonly Page[]) =>
  above.length === 0 ? '' : `As above: ${above.map(({ name, version }) => `${name} ${version}`).join(', ')}.`;
