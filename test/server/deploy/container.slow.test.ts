import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { findCommand, parseArguments } from '../../../compiler/cli/arguments.ts';
import { REGISTRY } from '../../../compiler/cli/commands/index.ts';
import { describeWhere } from '../../support/loudly.ts';
import { installLinters } from './linters.ts';

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const COMPOSE = readFileSync('server/deploy/compose.yaml', 'utf8');
const linters = installLinters();

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes: readonly string[];
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** With the third instance that is in a file as comments. */
const withThird = (text: string) => text.replaceAll('#3 ', '');

/** Refuses a command line that vade does not take. */
function takes(words: readonly string[]): void {
  const { command, rest } = findCommand(words, REGISTRY);
  expect(command?.path).toBe('serve');
  expect(() => parseArguments(rest, command!)).not.toThrow();
}

const port = () => {
  const { command } = findCommand(['serve'], REGISTRY);
  return (command?.flags['port'] as { default: number }).default;
};

describeWhere(
  linters !== null,
  'the container',
  'a registry of npm and one of Python are needed',
)('the Dockerfile', () => {
  const { hadolint, parse } = linters ?? { hadolint: '', parse: () => ({ getInstructions: () => [] }) };
  const all = parse(DOCKERFILE).getInstructions();
  const of = (keyword: string) => all.filter((it) => it.getKeyword() === keyword);
  const last = (keyword: string) => of(keyword).at(-1)?.getArgumentsContent() ?? '';

  test('hadolint has nothing to say against the Dockerfile, and much against a bad one', () => {
    const verdict = (input: string) => spawnSync(hadolint, ['-'], { input, encoding: 'utf8' });
    expect(verdict(DOCKERFILE)).toMatchObject({ status: 0, stdout: '' });
    expect(verdict('FROM node:latest\nADD https://example.com/x /x\nUSER root\n').status).toBe(1);
  });

  test('the image runs as nobody’s root, from a base with a whole version, and fetches no address', () => {
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last('ARG')).toMatch(/^NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim$/);
    expect(of('FROM').every((it) => it.getArgumentsContent()?.startsWith('${NODE_IMAGE}'))).toBe(true);
    expect(of('ADD')).toEqual([]);
    expect(DOCKERFILE).not.toMatch(/\b(curl|wget|npm install)\b/);
  });

  test('everything that is copied is there, and the build context has it', () => {
    const own = of('COPY').filter((it) => it.getFlags?.().length === 0);
    const paths = own.flatMap((it) =>
      it
        .getArguments()
        .slice(0, -1)
        .map((argument) => argument.getValue()),
    );
    expect(paths.length).toBeGreaterThan(8);
    const ignore = readFileSync('.dockerignore', 'utf8').split('\n');
    const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(ignore).toContain('*');
    for (const path of paths) {
      expect(existsSync(path), path).toBe(true);
      expect(
        allowed.some((it) => path === it || path.startsWith(`${it}/`)),
        path,
      ).toBe(true);
    }
  });

  test('the image has what the package has', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
    const data = files.filter((it) => it.startsWith('compiler/'));
    const copied = of('COPY').map((it) => it.getArguments().at(-1)?.getValue());
    expect(copied).toEqual(expect.arrayContaining([...data, 'dist', 'node_modules']));
  });

  test('node is the first process, with a command that vade takes and a port that it has', () => {
    const words = (keyword: string) => JSON.parse(last(keyword)) as string[];
    expect(words('ENTRYPOINT')).toEqual(['node', '/opt/vade/server/deploy/container.mjs']);
    takes(words('CMD'));
    expect(last('EXPOSE')).toBe(String(port()));
    expect(last('HEALTHCHECK')).toContain('CMD ["node", "/opt/vade/server/deploy/container.mjs", "health"]');
    expect(readFileSync('server/deploy/container.mjs', 'utf8')).toContain(`const PORT = ${port()};`);
    expect(last('STOPSIGNAL')).toBe('SIGTERM');
  });
});

describeWhere(
  linters !== null,
  'the schema of compose',
  'a registry of npm is needed',
)('compose.yaml', () => {
  test('the schema of compose files accepts ours, and refuses a mistake', () => {
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(linters?.composeSchema ?? {});
    for (const text of [COMPOSE, withThird(COMPOSE)])
      expect(validate(parseYaml(text, { merge: true })), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(parseYaml(COMPOSE.replace('depends_on', 'depend_on'), { merge: true }))).toBe(false);
  });
});

const FORMS = [
  [2, (text: string) => text],
  [3, withThird],
] as const;

describe.each(FORMS)('the services of compose.yaml with %i instances', (count, form) => {
  const { services, secrets, volumes } = parseYaml(form(COMPOSE), { merge: true }) as Compose;
  const instances = Object.entries(services).filter(([name]) => name.startsWith('vade-'));

  beforeAll(() => {
    expect(instances).toHaveLength(count);
  });

  test.each(instances)('%s is a server with flags that it has, and writes only its state', (name, service) => {
    takes(service.command ?? []);
    expect(service.read_only).toBe(true);
    const written = service.volumes.filter((it) => !it.endsWith(':ro'));
    expect(written).toEqual([`${name.replace('vade', 'state')}:/var/lib/vade`]);
    expect(service.ports).toBeUndefined();
  });

  test('each secret is a file, known to the container, and nothing has a default password', () => {
    const known = readFileSync('server/deploy/container.mjs', 'utf8');
    for (const service of Object.values(services)) {
      for (const [name, value] of Object.entries(service.environment ?? {})) {
        if (/KEY|PASSWORD|TOKEN/.test(name)) expect(name).toMatch(/_FILE$/);
        if (!name.endsWith('_FILE')) continue;
        if (service.command?.includes('serve')) expect(known).toContain(`'${name.replace(/_FILE$/, '')}'`);
        const secret = value.replace('/run/secrets/', '');
        expect(service.secrets).toContain(secret);
        expect(secrets[secret]?.file).toMatch(/^\$\{VADE_SITE\}\/secrets\//);
      }
    }
    expect(COMPOSE).not.toMatch(/POSTGRES_PASSWORD:|POSTGRES_HOST_AUTH_METHOD|:-[^}]*(password|secret)/i);
  });

  test('images have a whole version, mounted files are there, and volumes are declared', () => {
    for (const { image, volumes: mounts } of Object.values(services)) {
      expect(image).toMatch(/^(\$\{VADE_IMAGE:-vademecum:local\}|[\w/.-]+:\d+\.\d+(\.\d+)?-[\w-]+)$/);
      for (const [from = ''] of mounts.map((it) => it.split(/:(?=\/)/))) {
        if (from.startsWith('./')) expect(statSync(join('server/deploy', from)).isFile()).toBe(true);
        else if (!from.startsWith('${VADE_SITE')) expect(Object.keys(volumes)).toContain(from);
      }
    }
  });

  test('the proxy waits for all instances, and has nginx.conf with them', () => {
    expect(Object.keys(services['proxy']?.depends_on ?? {})).toEqual(instances.map(([name]) => name));
    const upstreams = form(readFileSync('server/deploy/compose-upstreams.conf', 'utf8'));
    const servers = [...upstreams.matchAll(/^ {2}server (\S+) /gm)].map(([, address]) => address);
    expect(servers).toEqual(instances.map(([name]) => `${name}:${port()}`));
    expect(services['proxy']?.volumes.filter((it) => it.startsWith('./'))).toEqual([
      './nginx.conf:/etc/nginx/nginx.conf:ro',
      './compose-upstreams.conf:/etc/nginx/vade/upstreams.conf:ro',
    ]);
  });
});
