// A server in a process of its own that looks for a new root every few milliseconds, as no flag of `vade serve` has it.
import { readFileSync } from 'node:fs';
import { readRoot } from '../../../dist/compiler/trust/root-chain.js';
import { startServer } from '../../../dist/server/main.js';

const { bundle, trust, folder, pollMs } = JSON.parse(process.argv[2] ?? '{}');
const server = await startServer({
  ...{ host: '127.0.0.1', port: 0, bundle, pinned: readRoot(readFileSync(trust)), failStale: false, pollMs },
  ...{ audit: `${folder}/audit.db`, keys: `${folder}/keys.json`, models: `${folder}/models` },
  ...{ auditKey: undefined, rateLimit: 0, now: Date.now },
});
process.once('SIGTERM', () => void server.close());
