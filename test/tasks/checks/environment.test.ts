import { expect, test } from 'vitest';
import { checkEnvironment } from '../../../compiler/tasks/checks/environment.ts';

const PLACES = { run: '/run', home: '/run/home', temporary: '/run/tmp', avoid: ['/repo', '/tree'] };
const of = (env: Record<string, string>, fetches = false) => checkEnvironment(env, PLACES, fetches, 'mark');

/** The variables that every command of a check has, whatever the environment. */
const OWN = {
  PATH: '',
  HOME: '/run/home',
  TMPDIR: '/run/tmp',
  XDG_CONFIG_HOME: '/run/home/.config',
  XDG_CACHE_HOME: '/run/home/.cache',
  CARGO_HOME: '/run/home/.cargo',
  CARGO_TARGET_DIR: '/run/home/target',
  GOPATH: '/run/home/go',
  GOCACHE: '/run/home/.cache/go-build',
  CI: '1',
  GIT_CEILING_DIRECTORIES: '/run',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  VADE_RUN: 'mark',
};
const PLAIN =
  'LANG LC_ALL TZ JAVA_HOME GOROOT PYENV_ROOT PYENV_VERSION RUSTUP_TOOLCHAIN SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS';
const FETCHING =
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy npm_config_registry NPM_CONFIG_REGISTRY PIP_INDEX_URL UV_INDEX_URL GOPROXY GOSUMDB GONOSUMDB CARGO_HTTP_CAINFO PIP_CERT REQUESTS_CA_BUNDLE';
const each = (names: string, value: (name: string) => string) =>
  Object.fromEntries(names.split(' ').map((it) => [it, value(it)]));

test('a check sees folders of its own, and nothing of the user but how text is written and where tools are', () => {
  expect(of({})).toEqual(OWN);
  expect(of({ AWS_SECRET_ACCESS_KEY: 'x', GITHUB_TOKEN: 'x', NODE_OPTIONS: 'x', GIT_DIR: 'x' })).toEqual(OWN);
  const plain = each(PLAIN, (it) => `of ${it}`);
  expect(of(plain)).toEqual({ ...OWN, ...plain });
});

test('only a command that fetches packages sees where they come from', () => {
  const from = each(FETCHING, (it) => `https://${it}.example`);
  expect(of(from)).toEqual(OWN);
  expect(of(from, true)).toEqual({ ...OWN, ...from });
});

test.each(['https://me:pw@host', 'https://host/?token=x', 'https://host/?a=1&api_key=x', 'https://host/?x_auth=x'])(
  'an address with a secret in it is not seen: %s',
  (address) => {
    expect(
      of(
        each(FETCHING, () => address),
        true,
      ),
    ).toEqual(OWN);
  },
);

test('toolchains of Rust are found where the user has them', () => {
  expect(of({ HOME: '/me' })).toEqual({ ...OWN, RUSTUP_HOME: '/me/.rustup' });
  expect(of({ HOME: '/me', RUSTUP_HOME: '/opt/rustup' })).toEqual({ ...OWN, RUSTUP_HOME: '/opt/rustup' });
  expect(of({ RUSTUP_HOME: '/opt/rustup' })).toEqual(OWN);
});

test('programs are looked for in absolute folders that the agent cannot write to', () => {
  const PATH = ['/usr/bin', '/repo', '/repo/bin', 'bin', '', '.', '/tree/node_modules/.bin', '/repository/bin'].join(
    ':',
  );
  expect(of({ PATH })).toEqual({ ...OWN, PATH: '/usr/bin:/repository/bin' });
});
