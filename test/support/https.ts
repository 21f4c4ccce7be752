import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import { tempFolder } from './folder.ts';

/** A host on the loopback that is reached by https. */
export interface SecureHost {
  readonly url: string;
  /** Its certificate in PEM, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
}

export async function startHttps(answer: RequestListener): Promise<SecureHost> {
  const folder = tempFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject];
  const { status, stderr } = spawnSync('openssl', [...words, '-keyout', key, '-out', certificate]);
  if (status !== 0) throw new Error(stderr.toString());
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  );
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, certificate };
}
