import { loadIndex } from '../../../recall/index/search-index.ts';
import { readyGarden, type RecallFact, type RecallGarden } from '../../../recall/recall-garden.ts';
import { recall } from '../../../recall/recall.ts';
import { PlaygroundFiles } from '../../../schema/api/playground-files.ts';
import { RecallRequest } from '../../../schema/api/recall.ts';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import { unpack } from './blocks.ts';
import { IndexBytes } from './index-bytes.ts';
import { openMeaning } from './meaning.ts';
import type { Playground, Question } from './source.ts';
import { versionsIn } from './versions.ts';

/** Answers with the server's own recall on the index in this file; null if the file has none. */
export async function openPlayground(name: string, agent: AgentReport, report: Report): Promise<Playground | null> {
  const packed = await unpack(`garden:${name}`);
  if (packed === null) return null;
  const files = PlaygroundFiles.parse(JSON.parse(new TextDecoder().decode(packed)));
  const meaning = files.index['index/vectors.json'] === undefined ? null : await openMeaning();
  const garden = gardenOf(files, agent, report, meaning !== null);
  return { lacks: lacksOf(files, meaning !== null, report), ask };

  async function ask(question: Question) {
    const { data: request, error } = RecallRequest.safeParse(question);
    if (!request) throw new TypeError(error.issues[0]?.message);
    const query = meaning && meaning(request.intent, garden.index);
    const now = new Date().toISOString();
    const answer = recall(garden, request, { now, query, explain: true });
    const { chunks, total_tokens, truncated, warnings, by_files, explain } = answer;
    if (!explain) throw new TypeError('the recall has no explanation');
    await Promise.resolve();
    const order = chunks.map((it) => it.name);
    return { order, total_tokens, truncated, warnings, ...(by_files && { by_files }), explain };
  }
}

function gardenOf(files: PlaygroundFiles, agent: AgentReport, report: Report, hasMeaning: boolean): RecallGarden {
  const read = (path: string) => {
    if (!hasMeaning && path.startsWith('index/vectors')) return undefined;
    const text = files.index[path];
    return text === undefined ? undefined : bytesOf(text);
  };
  const index = loadIndex(read as Parameters<typeof loadIndex>[0]);
  const facts = agent.units.map((unit): RecallFact => {
    const [current] = versionsIn(agent, report, unit.name).versions;
    const { name, uri, tokens, valid_until, delivery, fallback } = unit;
    return {
      name,
      uri,
      tokens,
      valid_until,
      delivery,
      fallback,
      version: current?.version ?? 1,
      content: current?.content ?? '',
      digest: current?.digest ?? '',
    };
  });
  const boosted = new Set(agent.units.filter((it) => it.lifted).map((it) => it.name));
  const garden = readyGarden(index, facts, new Map(Object.entries(files.fallbacks)), boosted);
  const withdrawn = new Set(files.withdrawn);
  return { ...garden, withdrawn: new Set([...facts.keys()].filter((unit) => withdrawn.has(facts[unit]?.name ?? ''))) };
}

function bytesOf(base64: string): IndexBytes {
  return IndexBytes.over(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

function lacksOf({ approximate }: PlaygroundFiles, hasMeaning: boolean, report: Report): string | null {
  if (report.model !== null && !hasMeaning) {
    return (
      `Only words and links rank here: this file does not contain the model ${report.model.name}. A server, vade recall ` +
      'and the live page use meaning as well.'
    );
  }
  return approximate ? 'Every unit is scored here; a server searches a garden of this size approximately.' : null;
}
