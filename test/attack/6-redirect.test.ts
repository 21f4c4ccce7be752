import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchModel } from '../../compiler/io/models/hub.ts';
import { openRemote, remoteBase } from '../../compiler/io/remote/remote.ts';
import { type HubModel, MODEL_FILES } from '../../compiler/schema/source/org.ts';
import { failure } from '../cli/failing.ts';
import { TRUST, workplace } from '../cli/workplace.ts';
import { afterFile } from '../support/after-file.ts';
import { tempFolder } from '../support/folder.ts';
import { startHub } from '../support/hub.ts';

/** One request as a host of the web got it. */
interface SeenRequest {
  readonly url: string;
  readonly authorization: string | null;
}

/**
 * A web in which each address of `chain` redirects to the next one, as written, and the last one has a file; https
 * included, which the tests cannot serve under any name.
 */
function web(...chain: readonly string[]) {
  const asked: SeenRequest[] = [];
  const answer = (url: string, init: RequestInit): Response => {
    const location = chain[asked.length + 1];
    asked.push({ url, authorization: new Headers(init.headers).get('authorization') });
    return location === undefined ? new Response('found') : new Response(null, { status: 302, headers: { location } });
  };
  /** As fetch does it: it follows whatever nobody wants to judge. */
  const ask = (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    let response = answer(String(input), init);
    for (let at = String(input); init.redirect !== 'manual' && response.status === 302; response = answer(at, init)) {
      at = new URL(response.headers.get('location') ?? '', at).href;
    }
    return Promise.resolve(response);
  };
  return { fetch: ask as typeof fetch, asked };
}

type Web = ReturnType<typeof web>;

const TOKEN = 'the token';

/** Both that fetch: whatever came, a model is refused for its digest at last, so only what was asked tells. */
const FETCHERS: [name: string, fetched: (origin: string, web: Web) => Promise<unknown>][] = [
  [
    'a bundle',
    async (origin, { fetch }) => openRemote({ base: remoteBase(origin), token: TOKEN, fetch }).get('current', 100),
  ],
  [
    'a model',
    (hub, { fetch }) => {
      const files = Object.fromEntries(MODEL_FILES.map((file) => [file, '0'.repeat(64)])) as HubModel['files'];
      return fetchModel(tempFolder(), { name: 'acme/tiny', revision: '0'.repeat(40), files }, { hub, fetch });
    },
  ],
];

/** The addresses that were asked after the first one. */
async function followed(
  fetching: (typeof FETCHERS)[number][1],
  [origin, ...targets]: readonly [string, ...string[]],
): Promise<string[]> {
  const there = web(origin, ...targets);
  await fetching(origin, there).catch(() => undefined);
  return there.asked.slice(1).map((it) => it.url);
}

describe.each(FETCHERS)('%s from an https origin', (_, fetching) => {
  const origin = 'https://files.example/';

  test.each([
    ['plain http on loopback', 'http://127.0.0.1:8080/admin'],
    ['plain http on IPv6 loopback', 'http://[::1]:8080/admin'],
    ['plain http on IPv6 loopback in full', 'http://[0:0:0:0:0:0:0:1]/admin'],
    ['plain http on IPv4 loopback within IPv6', 'http://[::ffff:127.0.0.1]/admin'],
    ['plain http on localhost', 'http://localhost/admin'],
    ['plain http on LOCALHOST with a dot', 'http://LOCALHOST./admin'],
    ['plain http on loopback as a number', 'http://2130706433/admin'],
    ['plain http on loopback in short', 'http://127.1/admin'],
    ['plain http on its own host', 'http://files.example/current'],
    ['plain http elsewhere', 'http://192.0.2.1/current'],
    ['plain http behind tabs and capitals', 'HT\tTP://127.0.0.1/admin'],
    ['a name and a password', 'https://user:secret@other.example/current'],
    ['a name alone on its own host', 'https://user@files.example/current'],
    ['data in its address', 'data:text/plain,found'],
    ['a file', 'file:///etc/passwd'],
    ['no address at all', 'https://[/'],
  ])('an https origin cannot redirect to %s', async (_name, target) => {
    expect(await followed(fetching, [origin, target])).toEqual([]);
  });

  test('an https origin can redirect to https, to a path, and to an address without a scheme', async () => {
    const [elsewhere, path, schemeless] = ['https://cdn.example/x', '/y', '//third.example/z'];
    const asked = ['https://cdn.example/x', 'https://cdn.example/y', 'https://third.example/z'];
    expect(await followed(fetching, [origin, elsewhere, path, schemeless])).toEqual(asked);
  });

  test('the second redirect of a chain cannot lead to plain http', async () => {
    const asked = await followed(fetching, [origin, 'https://cdn.example/x', 'http://127.0.0.1/admin']);
    expect(asked).toEqual(['https://cdn.example/x']);
  });

  test('a chain of redirects ends after at most five', async () => {
    const chain = Array.from({ length: 50 }, (_it, index) => `https://h${index}.example/`);
    expect((await followed(fetching, [origin, ...chain])).length).toBeLessThanOrEqual(5);
  });
});

describe.each(FETCHERS)('%s from an origin that the operator named on plain http on loopback', (_, fetching) => {
  test.each(['http://127.0.0.1:8080/', 'http://localhost:8080/', 'http://[::1]:8080/'])(
    'a loopback origin can redirect on loopback: %s',
    async (origin) => {
      const targets = ['http://127.0.0.1:9090/a', 'http://localhost:9090/b', 'http://[::1]:9090/c'];
      expect(await followed(fetching, [origin, ...targets])).toEqual(targets);
    },
  );

  test.each(['http://192.0.2.1/', 'http://localhost.example/', 'http://127.0.0.1.example/', '//192.0.2.1/x'])(
    'a loopback origin cannot redirect by plain http to %s',
    async (target) => {
      expect(await followed(fetching, ['http://127.0.0.1:8080/', target])).toEqual([]);
    },
  );

  test('an https host cannot redirect back to a loopback origin on plain http', async () => {
    const asked = await followed(fetching, ['http://127.0.0.1:1/', 'https://cdn.example/x', 'http://127.0.0.1:1/y']);
    expect(asked).toEqual(['https://cdn.example/x']);
  });
});

test('a hub on plain http can redirect to itself and to https, and nowhere else', async () => {
  const [, model] = FETCHERS[1]!;
  const hub = 'http://models.example/';
  expect(await followed(model, [hub, '/elsewhere', 'https://cdn.example/x'])).toHaveLength(2);
  for (const target of ['http://127.0.0.1/admin', 'http://other.example/', 'http://models.example:81/']) {
    expect(await followed(model, [hub, target])).toEqual([]);
  }
});

test('the token goes to the origin alone, and is not sent again after a redirect by another host', async () => {
  const origin = 'https://files.example/';
  const there = web(origin, '/first', 'https://files.example:444/', 'https://files.example/chosen', '/again');
  await openRemote({ base: remoteBase(origin), token: TOKEN, fetch: there.fetch }).get('current', 100);
  const bearer = `Bearer ${TOKEN}`;
  expect(there.asked.map((it) => it.authorization)).toEqual([bearer, bearer, null, null, null]);
});

test('a hub address with a name and a password is refused, and the error does not contain the password', async () => {
  const there = web('https://hub.example/');
  const [, model] = FETCHERS[1]!;
  const failed = await model('https://user:hunter2@hub.example/', there).catch((it: unknown) => it);
  expect(failed).toMatchObject({ code: 'model_unavailable' });
  expect(JSON.stringify([String(failed), failed])).not.toContain('hunter2');
  expect(there.asked).toEqual([]);
});

describe('vade with a real https host that redirects to plain http on this machine', () => {
  const asked: string[] = [];
  const inside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('1-' + '0'.repeat(64));
  });
  let secure: Awaited<ReturnType<typeof startHttps>>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const { port } = inside.address() as AddressInfo;
    secure = await startHttps((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/admin` }).end();
    });
  });
  afterAll(() => {
    inside.close();
  });

  test('vade serve does not follow a redirect of the bundle’s host to this machine', async () => {
    const place = workplace();
    const words = ['serve', ...TRUST, '--dry-run', '--bundle', secure.url, '--cache', 'cache'];
    const ran = await place.runProcess(words, { NODE_EXTRA_CA_CERTS: secure.certificate });
    expect(failure(ran)).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(ran.stdout).toContain('redirect');
    expect(asked).toEqual([]);
  });

  test('vade compile does not follow a redirect of the hub to this machine', async () => {
    const { choice } = await startHub();
    const org = `deployment: acme\ncompiler: 0.1.0\nmodel: ${JSON.stringify(choice)}\n`;
    const place = workplace((repo) => repo.write('instructions/org.yaml', org));
    const env = { VADE_MODEL_HUB: secure.url, NODE_EXTRA_CA_CERTS: secure.certificate };
    const ran = await place.runProcess(['compile', '--dev'], env);
    expect(failure(ran)).toEqual([4, 'MODEL_UNAVAILABLE']);
    expect(ran.stdout).toContain('redirect');
    expect(asked).toEqual([]);
  });
});

/** A host on the loopback that is reached by https. */
interface SecureHost {
  readonly url: string;
  /** Its certificate in PEM, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
}

async function startHttps(answer: RequestListener): Promise<SecureHost> {
  const folder = tempFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject];
  const { status, stderr } = spawnSync('openssl', [...words, '-keyout', key, '-out', certificate]);
  if (status !== 0) throw new Error(stderr.toString());
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(certificate) }, answer);
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
