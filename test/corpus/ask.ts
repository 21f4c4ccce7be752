import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { countTokens } from '../../compiler/edge/tokens.ts';
import type { RecallResponse } from '../../compiler/model/recall.ts';
import { serve, vade } from '../support/cli.ts';
import { repository, type Repository } from '../support/repository.ts';
import type { Asked } from './intents.ts';

/** What one intent brought. */
export interface Answered extends Asked {
  readonly units: readonly string[];
  readonly lazyTokens: number;
  /** Of the tokens that loading every document would have cost. */
  readonly share: number;
  readonly came: boolean;
}

/** Migrates a folder of documents into a fresh git repository, as its owner would. */
export async function migrated(documents: string, agent: string): Promise<Repository> {
  const repo = repository().write('instructions/org.yaml', 'deployment: corpus\ncompiler: 0.1.0\n');
  const { code } = await vade(['migrate', '--from', documents, '--agent', agent, '--write'], repo.path);
  expect(code).toBe(0);
  repo.commit('migrated');
  return repo;
}

/** Compiles and serves a repository, asks every intent over HTTP, and ends the server. */
export async function ask(
  repo: Repository,
  documents: string,
  agent: string,
  asked: readonly Asked[],
  maxChunks = 3,
): Promise<Answered[]> {
  // as migrated, nothing mended: some sections have the triggers of others, and the gate says so
  expect((await vade(['compile', '--dev', '--skip-coverage-gate'], repo.path)).code).toBe(0);
  const created = await vade(['key', 'create', '--agent', agent], repo.path);
  const server = await serve(['--dev'], repo.path);
  const eager = eagerTokens(documents);
  const headers = {
    authorization: `Bearer ${String(created.envelope().data['key'])}`,
    'content-type': 'application/json',
  };
  const answers: Answered[] = [];
  for (const it of asked) {
    const body = JSON.stringify({ intent: it.intent, max_chunks: maxChunks });
    const answer = await fetch(`${server.url}/v1/agents/${agent}/recall-instruction`, {
      method: 'POST',
      headers,
      body,
    });
    expect(answer.status).toBe(200);
    const { chunks, total_tokens } = (await answer.json()) as RecallResponse;
    const came = chunks.some(({ content }) => it.wanted.includes(headingOf(content)));
    const units = chunks.map(({ name }) => name);
    answers.push({ ...it, units, lazyTokens: total_tokens, share: total_tokens / eager, came });
  }
  await server.stop();
  return answers;
}

function eagerTokens(documents: string): number {
  const files = readdirSync(documents).filter((name) => name.endsWith('.md'));
  return files.reduce((total, name) => total + countTokens(readFileSync(join(documents, name), 'utf8')), 0);
}

function headingOf(content: string): string {
  return /^#+ (.*)$/m.exec(content)?.[1] ?? '';
}
