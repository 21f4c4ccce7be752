import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import type { RecallResponse } from '../../compiler/schema/api/recall.ts';
import { serve, vade } from '../support/cli.ts';
import { repository, type Repository } from '../support/repository.ts';
import type { CorpusQuestion } from './intents.ts';
import type { Answered } from './tokens.ts';

/** Migrates a folder of documents into a fresh git repository, as its owner would. */
export async function migrated(documents: string, agent: string): Promise<Repository> {
  const repo = repository().write('instructions/org.yaml', 'deployment: corpus\ncompiler: 0.1.0\n');
  const { code } = await vade(['migrate', '--from', documents, '--agent', agent, '--write'], repo.path);
  expect(code).toBe(0);
  repo.commit('migrated');
  return repo;
}

/**
 * Compiles and serves a repository, asks every intent over HTTP, and ends the server. Any one of the wanted sections
 * is what an intent wants.
 *
 * @param depths values of max_chunks, each asked for
 */
export async function ask(
  repo: Repository,
  documents: string,
  agent: string,
  asked: readonly CorpusQuestion[],
  depths: readonly number[],
): Promise<Map<number, Answered[]>> {
  // as migrated, nothing changed: every gate passes
  expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
  const created = await vade(['key', 'create', '--agent', agent], repo.path);
  const server = await serve(['--dev'], repo.path);
  const eagerTokens = eagerTokensOf(documents);
  const authorization = `Bearer ${String(created.envelope().data['key'])}`;
  const stub = await fetch(`${server.url}/v1/agents/${agent}/boot-stub`, { headers: { authorization } });
  const stubTokens = countTokens(await stub.text());
  const found = new Map<number, Answered[]>();
  for (const max_chunks of depths) {
    const answers: Answered[] = [];
    for (const { intent, wanted } of asked) {
      const answer = await fetch(`${server.url}/v1/agents/${agent}/recall-instruction`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ intent, max_chunks }),
      });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const { chunks } = JSON.parse(text) as RecallResponse;
      const lazyTokens = countTokens(text);
      const came = Number(chunks.some(({ content }) => headingsOf(content).some((it) => wanted.includes(it))));
      const units = chunks.map(({ name }) => name);
      answers.push({ intent, units, lazyTokens, eagerTokens, stubTokens, wanted: 1, came });
    }
    found.set(max_chunks, answers);
  }
  await server.stop();
  return found;
}

function eagerTokensOf(documents: string): number {
  const files = readdirSync(documents).filter((name) => name.endsWith('.md'));
  return files.reduce((total, name) => total + countTokens(readFileSync(join(documents, name), 'utf8')), 0);
}

function headingsOf(content: string): string[] {
  return [...content.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}
