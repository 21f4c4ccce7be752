import { promptIntent } from '../../../compiler/hosts/prompt-intent.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { candidateText } from '../../../compiler/recall/candidates.ts';
import { buildMeasuredIndex } from '../../../compiler/recall/everyday/measured-index.ts';
import EVERYDAY from '../../../compiler/recall/everyday/prompts.json' with { type: 'json' };
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import { answerPrompt } from '../../../compiler/recall/prompt/answer-prompt.ts';
import { readyGarden, type RecallFact, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { quantise } from '../../../compiler/recall/signals/semantic.ts';
import { Delivery } from '../../../compiler/schema/source/unit.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import type { AskedGarden, Prompt } from './asked-garden.ts';
import { questionsOf } from './methods.ts';
import type { RankingSet } from './ranking-sets.ts';
import { readBack } from './units.ts';

const NOW = '2026-06-01T00:00:00.000Z';

/** Counts of prompts that want a page, and of the others, by the answer of a hook alone. */
export interface Given {
  readonly name: string;
  readonly wanting: number;
  /** Prompts that got a page of theirs as text, and by name. */
  readonly gotText: number;
  readonly gotName: number;
  /** Prompts that want a page and got any text. */
  readonly texts: number;
  readonly others: number;
  readonly othersText: number;
  readonly othersName: number;
}

interface Tally {
  readonly wants: boolean;
  readonly kind: 'text' | 'names' | 'nothing';
  readonly isRight: boolean;
}

/**
 * Gives a set's prompts to its gardens as a hook does. Prompts that want a guaranteed unit alone
 * are left out, since other events give that.
 *
 * @param everyday whether everyday prompts are the others, each asked of a garden that was measured by the other half
 */
export async function give({ name, gardens }: RankingSet, everyday: boolean): Promise<Given> {
  const tallies: Tally[] = [];
  for (const garden of gardens) {
    const wanting = garden.asked.flatMap(({ text, wanted }) => {
      const left = wanted.filter((it) => !garden.guaranteed.includes(it));
      return left.length < wanted.length && left.length === 0 ? [] : [{ text, wanted: left }];
    });
    const others = everyday ? [] : garden.none.map((text) => ({ text, wanted: [] }));
    tallies.push(...(await ask(garden, EVERYDAY, wanting, true)), ...(await ask(garden, EVERYDAY, others, false)));
    for (const half of everyday ? [0, 1] : []) {
      const asked = EVERYDAY.filter((_, i) => i % 2 === half).map((text) => ({ text, wanted: [] }));
      const measuring = EVERYDAY.filter((_, i) => i % 2 !== half);
      tallies.push(...(await ask(garden, measuring, asked, false)));
    }
  }
  return sum(name, tallies);
}

function sum(name: string, tallies: readonly Tally[]): Given {
  const wanting = tallies.filter(({ wants }) => wants);
  const others = tallies.filter(({ wants }) => !wants);
  const right = wanting.filter(({ isRight }) => isRight);
  return {
    name,
    wanting: wanting.length,
    gotText: countOf(right, 'text'),
    gotName: countOf(right, 'names'),
    texts: countOf(wanting, 'text'),
    others: others.length,
    othersText: countOf(others, 'text'),
    othersName: countOf(others, 'names'),
  };
}

const countOf = (tallies: readonly Tally[], kind: Tally['kind']) => tallies.filter((it) => it.kind === kind).length;

async function ask(
  asked: AskedGarden,
  everyday: readonly string[],
  prompts: readonly Prompt[],
  wants: boolean,
): Promise<Tally[]> {
  const garden = await gardenOf(asked, everyday);
  const { vectors } = garden.index;
  const intents = prompts.map(({ text }) => promptIntent(text) ?? '');
  const questions = await questionsOf(intents, asked.encoder);
  return questions.map(({ text: intent, vector }, i) => {
    if (intent === '') return { wants, kind: 'nothing', isRight: false };
    const query = vectors && quantise(vector, vectors.mean);
    const { page, names } = answerPrompt(garden, { intent, query, now: NOW });
    const given = page === null ? names : [page];
    const isRight = given.some((it) => prompts[i]?.wanted.includes(garden.facts[it]?.name ?? ''));
    return { wants, kind: page !== null ? 'text' : names.length > 0 ? 'names' : 'nothing', isRight };
  });
}

async function gardenOf(
  { units, encoder, functionWords, guaranteed }: AskedGarden,
  everyday: readonly string[],
): Promise<RecallGarden> {
  const counted = units.map((it) => ({ ...it, candidate_tokens: countTokens(candidateText(it)) }));
  const index = readBack(await buildMeasuredIndex(counted, encoder, null, functionWords, everyday));
  return readyGarden(
    index,
    counted.map((it) => toFact(it, guaranteed.includes(it.name))),
    new Map(),
  );
}

function toFact({ name, series, description, content }: IndexedUnit, guarantee_load: boolean): RecallFact {
  return {
    name,
    uri: `${series}/v1`,
    version: 1,
    content,
    digest: sha256(content),
    tokens: countTokens(content),
    valid_until: null,
    // real skills have longer descriptions than units may have
    delivery: { ...Delivery.parse({ description: name, guarantee_load }), description },
    fallback: null,
  };
}
