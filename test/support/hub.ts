import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MODEL_FILES, ModelChoice } from '../../compiler/schema/source/org.ts';
import { afterFile } from './after-file.ts';
import { tempFolder } from './folder.ts';
import { writeModel } from './model.ts';

export const HUB_MODEL = 'Acme/tiny';
export const REVISION = '0123456789abcdef0123456789abcdef01234567';

/** Answers of the hub about its model: its newest commit, and its card. */
const SAID = new Map([
  [`/api/models/${HUB_MODEL}`, JSON.stringify({ id: HUB_MODEL, sha: REVISION })],
  [`/${HUB_MODEL}/resolve/${REVISION}/README.md`, '---\nlicense: apache-2.0\n---\n# tiny\n'],
]);

/** A model hub on the loopback, and the pin of the one model it has. */
export interface Hub {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** `org.yaml`'s choice of its model. */
  readonly choice: ModelChoice;
  /** From now on nobody listens. */
  readonly stop: () => Promise<void>;
}

export const digestOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Starts a hub; `answer` is asked first, and says whether it has answered. */
export async function startHub(answer: (...of: Parameters<RequestListener>) => boolean = () => false): Promise<Hub> {
  const models = tempFolder();
  const folder = join(models, writeModel(models));
  const asked: string[] = [];
  const prefix = `/${HUB_MODEL}/resolve/${REVISION}/`;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (answer(request, response)) return;
    const file = MODEL_FILES.find((it) => path === `${prefix}${it}`);
    const said = SAID.get(path);
    if (said !== undefined) response.end(said);
    else if (file === undefined) response.writeHead(404).end();
    else response.end(readFileSync(join(folder, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  afterFile(stop);
  const files = Object.fromEntries(MODEL_FILES.map((file) => [file, digestOf(readFileSync(join(folder, file)))]));
  const choice = ModelChoice.parse({ name: HUB_MODEL, revision: REVISION, files });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, choice, stop };
}
