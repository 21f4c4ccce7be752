import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { compiledWorkplace, TRUST } from '../../cli/workplace.ts';
import { serve } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { describeWhere } from '../../support/loudly.ts';

const NGINX = '/usr/sbin/nginx';
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

interface Shipped {
  readonly folder: string;
  readonly flags: readonly string[];
  readonly port: number;
}

/** The shipped configuration with a certificate, a port and paths of a test: as an operator replaces them. */
async function shipped(upstreams: string, change = (text: string) => text): Promise<Shipped> {
  const [folder, port] = [tempFolder(), await freePort()];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'ignore' });
  mkdirSync(join(folder, 'vade'));
  writeFileSync(join(folder, 'vade/upstreams.conf'), upstreams);
  const places = TEMPORARY.map((it) => `${it}_temp_path ${folder}/${it};`).join(' ');
  const text = readFileSync('server/deploy/nginx.conf', 'utf8')
    .replaceAll('/etc/vade/tls', folder)
    .replaceAll('/etc/nginx/vade', join(folder, 'vade'))
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('http {', `http { access_log off; ${places}`);
  writeFileSync(join(folder, 'nginx.conf'), change(text));
  const globals = `pid ${folder}/pid; error_log stderr; daemon off;`;
  return { folder, port, flags: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', globals] };
}

const upstreamOf = (...urls: readonly string[]) =>
  `upstream vade { ${urls.map((it) => `server ${it.replace('http://', '')} max_fails=2 fail_timeout=5s;`).join(' ')} }`;

describeWhere(
  existsSync(NGINX),
  'the configuration of nginx',
  'bash test/support/nginx.sh',
)('the shipped nginx.conf', () => {
  const proxies: ChildProcess[] = [];
  const servers: Server[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  afterEach(async () => {
    for (const it of proxies.splice(0)) {
      const ended = new Promise((resolve) => it.once('close', resolve));
      it.kill('SIGTERM');
      await ended;
    }
    for (const it of servers.splice(0)) {
      it.closeAllConnections();
      it.close();
    }
  });

  async function startProxy(...urls: readonly string[]): Promise<number> {
    const { flags, folder, port } = await shipped(upstreamOf(...urls));
    proxies.push(spawn(NGINX, flags, { stdio: 'ignore' }));
    await vi.waitUntil(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid')).length > 0);
    return port;
  }

  function post(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const options = {
        port,
        path,
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', ...headers },
      };
      const call = secureRequest({ host: '127.0.0.1', ...options }, (answer) => {
        answer.resume().on('end', () => {
          resolve(answer.statusCode ?? 0);
        });
      });
      call.on('error', reject).end('{}');
    });
  }

  /** An instance that takes a request and then ends the connection, or answers; it counts both. */
  async function instance(answers: boolean): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((incoming, answer) => {
      asked.push(incoming.url ?? '');
      incoming.resume().on('end', () => (answers ? answer.writeHead(204).end() : incoming.socket.destroy()));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  test('nginx accepts it, and refuses it with a directive that it does not know', async () => {
    const verdict = async (change?: (text: string) => string) => {
      const { flags } = await shipped(upstreamOf('http://127.0.0.1:8765'), change);
      return spawnSync(NGINX, ['-t', ...flags], { encoding: 'utf8' });
    };
    expect(await verdict()).toMatchObject({ status: 0 });
    expect((await verdict((text) => text.replace('proxy_pass', 'proxy_past'))).status).toBe(1);
  });

  test('nginx accepts the instances of systemd and of compose, and tables of cells and of capsules', async () => {
    const own = readFileSync('server/deploy/upstreams.conf', 'utf8');
    // the names of compose are known in its network alone
    const composed = readFileSync('server/deploy/compose-upstreams.conf', 'utf8').replaceAll(/vade-\d/g, '127.0.0.1');
    for (const it of [own, composed]) {
      const { flags, folder } = await shipped(`${it}\nupstream cell2 { server 127.0.0.1:8775; }`);
      for (const table of ['cells.conf', 'stores.conf'])
        writeFileSync(join(folder, 'vade', table), '0123456789abcdef cell2;\n');
      const { status, stderr } = spawnSync(NGINX, ['-t', ...flags], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    }
  });

  const RETRIED = ['/v1/agents/cto/recall-instruction', '/v1/agents/cto/heartbeat', '/v1/instruction/audit'];
  const SENT_ONCE = [
    '/v1/continuity/upsert',
    '/v1/schedule/items',
    '/v1/coordination/handoff/create',
    '/mcp',
    '/v1/mcp',
  ];

  test.each(RETRIED)('an instance that ends while it answers costs a caller nothing on %s', async (path) => {
    const [broken, whole] = [await instance(false), await instance(true)];
    const port = await startProxy(broken.url, whole.url);
    for (let i = 0; i < 4; i++) expect(await post(port, path)).toBe(204);
    expect(broken.asked.length).toBeGreaterThan(0);
    expect(whole.asked).toHaveLength(4);
  });

  test.each(SENT_ONCE)('a request that may change a capsule is sent once on %s', async (path) => {
    const [broken, whole] = [await instance(false), await instance(true)];
    const port = await startProxy(broken.url, whole.url);
    const statuses = [await post(port, path), await post(port, path)];
    expect(statuses.toSorted()).toEqual([204, 502]);
    expect([...broken.asked, ...whole.asked]).toEqual([path, path]);
  });

  test('the row of each caller’s table names the cell and the machine of its capsules', async () => {
    const [first, cell, store] = [await instance(true), await instance(true), await instance(true)];
    const other = (name: string, { url }: { url: string }) => upstreamOf(url).replace('vade', name);
    const { flags, folder, port } = await shipped(
      [upstreamOf(first.url), other('cell2', cell), other('store2', store)].join('\n'),
    );
    writeFileSync(join(folder, 'vade/cells.conf'), '0123456789abcdef cell2;\n');
    writeFileSync(join(folder, 'vade/stores.conf'), '0123456789abcdef store2;\n');
    proxies.push(spawn(NGINX, flags, { stdio: 'ignore' }));
    await vi.waitUntil(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid')).length > 0);
    const [recall = ''] = RETRIED;
    const bearer = { authorization: 'Bearer vade_0123456789abcdef_secret' };
    for (const path of [recall, '/v1/continuity/read', '/mcp']) await post(port, path, bearer);
    await post(port, recall, { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.c2ln' });
    expect([first.asked, cell.asked, store.asked]).toEqual([[recall], [recall], ['/v1/continuity/read', '/mcp']]);
  });

  test('metrics are not for callers of the proxy', async () => {
    const whole = await instance(true);
    expect(await post(await startProxy(whole.url), '/metrics')).toBe(404);
    expect(whole.asked).toEqual([]);
  });

  test('wrong keys count by the true address on every route, whatever address a caller claims', async () => {
    const place = await compiledWorkplace();
    const server = await serve([...TRUST, '--trust-proxy', 'loopback'], place.cwd);
    try {
      const port = await startProxy(server.url);
      const wrong = (path: string, i: number) =>
        post(port, path, { authorization: 'Bearer wrong', 'x-forwarded-for': `203.0.113.${i}` });
      const first: number[] = [];
      for (let i = 0; i < 61; i++) first.push(await wrong('/v1/continuity/read', i));
      expect(first).toEqual([...Array<number>(60).fill(401), 429]);
      for (const [i, path] of [...RETRIED, ...SENT_ONCE, '/v1/agents/cto/audit'].entries())
        expect(await wrong(path, 100 + i), path).toBe(429);
    } finally {
      await server.stop();
    }
  });
});
