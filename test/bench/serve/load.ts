import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from '../measure.ts';

/** A recall's answer, as far as a fault could show in it. */
export interface LoadAnswer {
  readonly revision: string;
  readonly token: string;
  /** Whether it says `audit_write_failed`. */
  readonly isUnaudited: boolean;
  /** When it was asked for, by `performance.now()`. */
  readonly from: number;
  /** Milliseconds. */
  readonly took: number;
}

export interface Chunk {
  readonly name: string;
  readonly content: string;
}

/** Clients that ask as fast as they are answered. */
export interface Load {
  readonly answers: readonly LoadAnswer[];
  /** Reasons of requests without an answer of 200, and of answers that the judge refused. */
  readonly failures: readonly string[];
  /** From now on nobody asks any more, and a connection that breaks is no failure. Resolves once all are done. */
  readonly end: () => Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly connections?: number;
  /** How long each waits between an answer and its next question, in milliseconds. Default: not at all. */
  readonly pauseMs?: number;
  /** Fault of the chunks of an answer of this revision; null where there is none. */
  readonly judge?: (revision: string, chunks: readonly Chunk[]) => string | null;
}

const CONNECTIONS = 16;

/** Begins to ask, each connection through all the bodies over and over. */
export function beginLoad({ url, headers, bodies, connections = CONNECTIONS, pauseMs = 0, judge }: LoadOptions): Load {
  const answers: LoadAnswer[] = [];
  const failures: string[] = [];
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const client = async (connection: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = connection; !isOver(); i++) {
      const from = performance.now();
      try {
        const { response, text } = await post(url, headers, agent, bodies[i % bodies.length] ?? '');
        const took = performance.now() - from;
        if (response.statusCode !== 200) throw new Error(`${response.statusCode ?? 0} ${text}`);
        const said = JSON.parse(text) as { audit_token: string; warnings: string[]; chunks: Chunk[] };
        const revision = String(response.headers['x-bundle-revision']);
        const isUnaudited = said.warnings.includes('audit_write_failed');
        answers.push({ revision, token: said.audit_token, isUnaudited, from, took });
        const fault = judge?.(revision, said.chunks) ?? null;
        if (fault !== null) failures.push(fault);
        if (pauseMs > 0) await sleep(pauseMs);
      } catch (error) {
        if (isOver()) break;
        failures.push(String(error));
        await sleep(20);
      }
    }
    agent.destroy();
  };
  const clients = Array.from({ length: connections }, (_, i) => client(i));
  return {
    answers,
    failures,
    end: async () => {
      over.abort();
      await Promise.all(clients);
    },
  };
}

/** Posts, and resolves with an answer that came whole. */
export function post(url: string, headers: Readonly<Record<string, string>>, agent: Agent, body: string) {
  return new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ response, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Median and 99th percentile of the answers that were asked for between two moments of `performance.now()`. */
export function spreadBetween(answers: readonly LoadAnswer[], from: number, to: number) {
  const asked = answers.filter((it) => it.from >= from && it.from < to).map((it) => it.took);
  return { ...spread(asked), count: asked.length, longest: asked.reduce((most, it) => Math.max(most, it), 0) };
}
