import { expect } from 'vitest';
import { serve, vade } from '../../support/cli.ts';
import { agentName, phrase } from '../generate.ts';
import type { LoadOptions } from '../serve/load.ts';
import { adminHeaders, bundleOf, UNLIMITED } from '../serve/served.ts';

/** 200 different intents. */
export const BODIES = Array.from({ length: 200 }, (_, i) => JSON.stringify({ intent: phrase(`asked ${i}`, 8) }));

const AUDIT_KEY = 'ab'.repeat(32);

/** A deployment that `vade serve` is started on, time and again. */
export interface FaultyPlace {
  readonly repo: string;
  /** Starts a real `vade serve`, with these flags besides. */
  readonly start: (...more: string[]) => Promise<FaultyServer>;
  /** Runs `vade audit verify`, which has to hold. @returns how many entries it went through */
  readonly verify: (...more: string[]) => Promise<number>;
}

export type FaultyServer = Awaited<ReturnType<typeof serve>> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly load: LoadOptions;
};

export async function faultyPlace(): Promise<FaultyPlace> {
  const repo = await bundleOf({ agents: 1, units: 12, commits: 2, touched: 10 });
  const headers = await adminHeaders(repo);
  return {
    repo,
    start: async (...more) => {
      // instances that share an audit share it
      const server = await serve([...UNLIMITED, ...more], repo, { VADE_AUDIT_KEY: AUDIT_KEY });
      const url = `${server.url}/v1/agents/${agentName(0)}/recall-instruction`;
      return { ...server, headers, load: { url, headers, bodies: BODIES } };
    },
    verify: async (...more) => {
      const { code, stdout, envelope } = await vade(['audit', 'verify', ...more], repo);
      expect(code, stdout).toBe(0);
      return Number(envelope().data['entries']);
    },
  };
}
