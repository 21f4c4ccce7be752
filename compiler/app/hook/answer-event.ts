import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '../../hosts/host-event.ts';
import { HOST_TABLE, type HostName } from '../../hosts/hosts.ts';
import type { LoadedGarden } from '../../io/bundle/load-garden.ts';
import { pathsWithin } from '../../io/files/paths-within.ts';
import type { SkillPlaces } from '../../io/files/skill-places.ts';
import { exactness } from '../../recall/files/exactness.ts';
import { unitsAbout } from '../../recall/files/garden-files.ts';
import { answerPrompt, PROMPT_TOKENS } from '../../recall/prompt/answer-prompt.ts';
import type { RecallFact } from '../../recall/recall-garden.ts';
import { servingAt } from '../../recall/resolve-content.ts';
import { skillNote } from '../../recall/skill-note.ts';
import { MCP_PROFILE } from '../../schema/bundle/boot-stub.ts';
import { sha256 } from '../../trust/canonical.ts';
import { contextText, FRAME_TOKENS, type Context, type Gift, type Page } from './context-text.ts';
import type { Project } from './project.ts';
import type { SessionMemory } from './session-memory.ts';

/** The inputs of an answer to an event. */
export interface HookContext {
  readonly garden: Pick<LoadedGarden, 'recall' | 'stub'>;
  readonly memory: SessionMemory;
  readonly project: Project;
  readonly host: HostName;
  /** The skills that its working tree has. */
  readonly skills: SkillPlaces;
  /** ISO 8601. */
  readonly now: string;
  /** The vector of an intent; null without an encoder. */
  readonly encode: (intent: string) => Promise<Int8Array | null>;
  /** The startup view of the agent's capsules; empty without any. */
  readonly keptText: () => Promise<string>;
}

/** A skill is given by a pointer where the disk has it, otherwise its text up to what a prompt may bring. */
const skillServing = ({ skills }: HookContext) => ({
  budget: PROMPT_TOKENS,
  isOnDisk: ({ skill }: RecallFact) => skill !== undefined && skills.has(skill.folder),
});

/** The tokens that a file brings at most; further pages about it are named. */
const FILE_TOKENS = 500;

/**
 * Answers an event of a host: a start with the boot stub, the guaranteed pages and the startup view, a sub-agent with
 * the stub, a prompt and a file with the pages that fit. It remembers the texts that it gives.
 */
export async function answerEvent(event: HostEvent, context: HookContext): Promise<Context> {
  return give(await giftFor(event, context), context.memory);
}

async function giftFor(event: HostEvent, context: HookContext): Promise<Gift> {
  const { garden, memory, keptText } = context;
  if (event.kind === 'prompt') return forPrompt(event.intent, context);
  if (event.kind === 'file') return aboutFiles(event.files, context);
  if (event.kind === 'start') memory[event.source === 'resume' ? 'resume' : 'forget']();
  const before = once(garden.stub(MCP_PROFILE)?.text.trimEnd() ?? '', memory);
  if (event.kind === 'subagent') return { before };
  return { before, pages: pagesOf(garden.recall.guaranteed, context), after: once(await keptText(), memory) };
}

async function forPrompt(intent: string, context: HookContext): Promise<Gift> {
  const { garden, memory, now, encode } = context;
  const { page, names } = answerPrompt(
    garden.recall,
    { intent, query: await encode(intent), now },
    skillServing(context),
  );
  const [pages, named] = [pagesOf(page === null ? [] : [page], context), pagesOf(names, context)];
  const above = [...pages, ...named].filter((it) => memory.has(keyOf(it)));
  return { pages, names: named, above };
}

/** Pages whose patterns mean a file, the most exact pattern first; each comes once, and is named once before. */
function aboutFiles(files: readonly string[], context: HookContext): Gift {
  const { garden, memory, project } = context;
  const { matches } = unitsAbout(garden.recall.files, pathsWithin(project.tree, files));
  const exactFirst = [...matches].sort(([, a], [, b]) => exactness(b.pattern) - exactness(a.pattern));
  const all = pagesOf(
    exactFirst.map(([unit]) => unit),
    context,
  );
  const fresh = all.filter((it) => !memory.has(keyOf(it)));
  let left = FILE_TOKENS;
  const pages = fresh.filter(({ tokens }) => {
    const fits = tokens + FRAME_TOKENS <= left;
    if (fits) left -= tokens + FRAME_TOKENS;
    return fits;
  });
  return { pages, names: fresh.filter((it) => !pages.includes(it) && !memory.has(namedKeyOf(it))) };
}

/** A text that a conversation gets once; empty if it was given already. */
function once(text: string, memory: SessionMemory): string {
  if (text === '') return '';
  const key = sha256(Buffer.from(text));
  if (memory.has(key)) return '';
  memory.add([key]);
  return text;
}

/** The context of what was not given before. */
function give(gift: Gift, memory: SessionMemory): Context {
  const isNew = (it: Page) => !memory.has(keyOf(it));
  const context = contextText({ ...gift, pages: gift.pages?.filter(isNew), names: gift.names?.filter(isNew) });
  memory.add([...context.pages.map(keyOf), ...context.names.map(namedKeyOf)]);
  return context;
}

const keyOf = ({ name, version }: Page) => `${name} ${version}`;
const namedKeyOf = ({ name, version }: Page) => `named ${name} ${version}`;

/** Units that can be served now, without those whose source the host loads itself. */
function pagesOf(units: readonly number[], context: HookContext): Page[] {
  const { host, project, now, skills } = context;
  const { recall } = context.garden;
  const { serve } = servingAt(recall, now, skillServing(context));
  return units.flatMap((unit) => {
    const fact = recall.facts[unit];
    const served = serve(unit);
    if (!fact || !served || isLoadedByHost(fact.fallback, host, project)) return [];
    const { name, version, delivery } = fact;
    const { content, tokens, source } = served;
    const { folder = '' } = fact.skill ?? {};
    return {
      ...{ name, version: `v${version}`, description: delivery.description, content, tokens },
      ...(source === 'pointer' && { start: { folder, listedName: skills.listedName(folder) } }),
      note: skillNote(fact, served),
    };
  });
}

/** Whether a unit stands for a file of rules that is still there: the host gives that to its model by itself. */
function isLoadedByHost(fallback: RecallFact['fallback'], host: HostName, { tree }: Project): boolean {
  return fallback !== null && HOST_TABLE[host].loads.test(fallback.path) && existsSync(join(tree, fallback.path));
}
