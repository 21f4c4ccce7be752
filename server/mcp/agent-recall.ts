import { z } from 'zod';
import type { SkillPlaces } from '../../compiler/io/files/skill-places.ts';
import { readHints } from '../../compiler/recall/read-hints.ts';
import type { RecallFact } from '../../compiler/recall/recall-garden.ts';
import { agentRecall, MAX_INTENT_CHARACTERS } from '../../compiler/schema/api/recall.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { SkillStart } from '../../compiler/schema/page-text.ts';
import { loadRequestedGarden } from '../operations/documents.ts';
import { operation } from '../operations/operation.ts';
import { recallInstruction } from '../operations/recall.ts';
import { value } from '../operations/result.ts';
import { OWN_OPERATIONS } from '../operations/tables/agent-caller.ts';
import type { OpenRecalls } from './open-recalls.ts';
import { recallText } from './recall-text.ts';

/** The texts of an answer, and from which percentage on a second text comes along. */
const MOST_TEXTS = 1;
const NEAR_SHARE = 75;

/** A recall of an agent whose `follows` is a token, as over HTTP, and of one whose process knows its last token. */
export const TOKEN_RECALL = agentRecall(z.string().min(1).max(200).nullish());
export const PROCESS_RECALL = agentRecall(z.boolean().nullish());

/** State of a process between two calls. */
interface RecallingProcess {
  readonly recalls: OpenRecalls;
  /** The skills on its disk. */
  readonly skills: () => SkillPlaces;
}

/** Recall, answered as text. @param local null where an answer ends with its token, and no disk is known */
export function recallForAgent(local: RecallingProcess | null) {
  const recalls = local?.recalls ?? null;
  const { query: _, ...base } = OWN_OPERATIONS.recallInstruction;
  return operation({
    ...base,
    body: recalls === null ? TOKEN_RECALL : PROCESS_RECALL,
    requires: () => undefined,
    run: async (call, { headers, body: asked }) => {
      const { recall: garden } = loadRequestedGarden(call);
      const hints = readHints(garden, asked.manifest_hint);
      const isFollowing = asked.follows != null && asked.follows !== false;
      const { missing, startOf } = skillsOnDisk(garden.facts, local);
      const asRequest = requestOf(asked, hints, isFollowing, recalls?.last() ?? null);
      const request = { ...asRequest, ...(missing && { missing_skills: missing }) };
      const options = { explain: false, heartbeat: headers['X-Heartbeat-Id'] };
      const { response, token } = await recallInstruction(call, request, options);
      call.services.count.answered('recall', response);
      const { chunks, candidates = [] } = response;
      recalls?.add({ token, at: call.services.now(), gave: namesOf(chunks), listed: namesOf(candidates) });
      const unnamed = garden.guaranteed.filter((it) => hints.every(({ unit }) => unit !== it));
      const always = new Set(unnamed.map((it) => garden.facts[it]?.name ?? ''));
      const isNamed = hints.length > response.missed_hints.length;
      const text = recallText(response, { always, isNamed, isFollowing, startOf });
      return value(recalls === null ? `${text}\naudit_token: ${token}` : text);
    },
  });
}

type Asked = z.output<typeof TOKEN_RECALL> | z.output<typeof PROCESS_RECALL>;

/** The request of an agent: without an intent by names alone. @throws intent_required where both are absent */
function requestOf(
  { intent, max_chunks, follows, ...rest }: Asked,
  hints: ReturnType<typeof readHints>,
  isFollowing: boolean,
  last: string | null,
) {
  const names = rest.manifest_hint.join(' ');
  const isByName = intent.trim() === '';
  if (isByName && names.trim() === '') throw stepMissing();
  // nobody has to choose again after an answer that is followed, or one by names that are all there
  const isChosen = isFollowing || (isByName && hints.every(({ unit }) => unit !== null));
  return {
    ...rest,
    intent: isByName ? names.slice(0, MAX_INTENT_CHARACTERS) : intent,
    max_chunks: max_chunks ?? MOST_TEXTS,
    ...(max_chunks == null && { near_share: NEAR_SHARE }),
    ...(isChosen && { candidates: 0 }),
    follows: typeof follows === 'string' ? follows : isFollowing ? last : null,
  };
}

/** The skills that the disk of a process lacks, and how the others start; neither without a disk or without skills. */
function skillsOnDisk(facts: readonly RecallFact[], local: RecallingProcess | null) {
  const folders = new Map(facts.flatMap(({ name, skill }) => (skill ? [[name, skill.folder] as const] : [])));
  if (local === null || folders.size === 0) return {};
  const { has, listedName } = local.skills();
  const startOf = (name: string): SkillStart => {
    const folder = folders.get(name) ?? '';
    return { folder, listedName: listedName(folder) };
  };
  return { missing: [...folders].flatMap(([name, folder]) => (has(folder) ? [] : [name])), startOf };
}

const namesOf = (units: readonly { readonly name: string }[]) => units.map(({ name }) => name);

const stepMissing = () =>
  new VadeError('intent_required', 'give intent (what you are about to do) or manifest_hint (names of pages)');
