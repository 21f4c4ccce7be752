import { describe, expect, test } from 'vitest';
import { lintText } from '../../../compiler/lint/lint-text.ts';
import { rulesOf } from '../firing.ts';

// put together here, so that no scanner takes this file for a leak
const letters = (n: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG'.repeat(20).slice(0, n);
const hex = (n: number) => '3f9a1c7be04d58261fa7c93b0e5d8a42'.repeat(20).slice(0, n);
const dashes = '-'.repeat(5);
const pem = (kind: string) =>
  `${dashes}BEGIN ${kind}${dashes}\n${letters(64)}\n${letters(64)}\n${dashes}END ${kind}${dashes}`;

const SECRETS: Readonly<Record<string, string>> = {
  'a bearer key of this server': `vade_${hex(16)}_${hex(64)}`,
  'an AWS key id': ['AKIA', 'Q7ZV4XMNR2KTPW3B'].join(''),
  'an AWS secret': `AWS_SECRET_ACCESS_KEY = ${letters(40)}`,
  'a GitHub token': `ghp_${letters(36)}`,
  'a fine-grained GitHub token': `github_pat_${letters(22)}_${letters(59)}`,
  'a Slack token': `xoxb-123456789012-1234567890123-${letters(24)}`,
  'a Slack webhook': `https://hooks.slack.com/services/T01234567/B01234567/${letters(24)}`,
  'a Stripe key': `sk_live_${letters(24)}`,
  'a Google key': `AIza${letters(35)}`,
  'an npm token': `npm_${letters(36)}`,
  'a registry token in .npmrc': `//registry.npmjs.org/:_authToken=${hex(8)}-${hex(4)}-4abc-9def-${hex(12)}`,
  'an RSA key': pem('RSA PRIVATE KEY'),
  'an Ed25519 key': pem('PRIVATE KEY'),
  'an OpenSSH key': pem('OPENSSH PRIVATE KEY'),
  'an OpenPGP key': `${dashes}BEGIN PGP PRIVATE KEY BLOCK${dashes}\nVersion: GnuPG v2\n\n${letters(64)}\n`,
  'a key in JSON': `"${dashes}BEGIN PRIVATE KEY${dashes}\\n${letters(64)}\\n"`,
  'a web token': `eyJ${letters(30)}.eyJ${letters(40)}.${letters(43)}`,
  'a password in an address': `https://admin:${letters(12)}@db.example.org/x`,
  'a database address': `postgres://svc:${letters(10)}@db.internal:5432/app`,
  'an OpenAI key': `sk-proj-${letters(74)}T3BlbkFJ${letters(74)}`,
  'an Anthropic key': `sk-ant-api03-${letters(93)}AA`,
  'a SendGrid key': `SG.${letters(22)}.${letters(43)}`,
  'a GitLab token': `glpat-${letters(20)}`,
  'a Hugging Face token': `hf_${letters(34)}`,
  'a Telegram token': `1234567890:AA${letters(33)}`,
  'a PyPI token': `pypi-AgEIcHlwaS5vcmc${letters(80)}`,
  'a password that is assigned': `password: ${letters(14)}`,
  'a key that is assigned': `export SERVICE_API_KEY="${letters(32)}"`,
  'a token in a header': `Authorization: Bearer ${letters(40)}`,
};

describe('DESIGN §7 a secret in a text', () => {
  test.each(Object.entries(SECRETS))('a secret is found, and the message does not repeat it: %s', async (_, secret) => {
    const faults = await lintText('a.md', `Use this:\n\n    ${secret}\n`);
    const told = JSON.stringify(faults);
    expect(faults.map((it) => it.rule)).toContain('secret_exposed');
    for (let i = 0; i + 12 <= secret.length; i += 4) {
      const part = secret.slice(i, i + 12);
      if (/[A-Z]/.test(part) && /\d/.test(part)) expect(told).not.toContain(part);
    }
  });

  test('a secret is found in front matter, in YAML and in JSON', async () => {
    const token = SECRETS['a GitHub token'] ?? '';
    expect(await rulesOf(`---\ndescription: ${token}\n---\n`)).toEqual(['secret_exposed']);
    expect(await rulesOf(`# ${token}\n`, 'instructions/org.yaml')).toEqual(['secret_exposed']);
    expect(await rulesOf(`{"note":"${token}"}`, 'instructions/trust/1.json')).toEqual(['secret_exposed']);
  });

  test('a comment in the text cannot switch off the check for secrets', async () => {
    const text = `<!-- secretlint-disable -->\n${SECRETS['a GitHub token'] ?? ''}\n<!-- secretlint-enable -->`;
    expect(await rulesOf(text)).toContain('secret_exposed');
  });

  test('a secret is reported once, at its position', async () => {
    const faults = await lintText('a.md', `one\ntwo ${SECRETS['an AWS secret'] ?? ''}`);
    expect(faults.map(({ line, column }) => [line, column])).toEqual([[2, 5]]);
  });
});

describe('what only looks like a secret', () => {
  test.each([
    'password: <your password>',
    'token: ${TOKEN}',
    'Authorization: Bearer $TOKEN',
    `ghp_${'x'.repeat(36)}`,
    'postgres://user:password@localhost:5432/db',
    'AKIAIOSFODNN7EXAMPLE',
    'Look for `BEGIN RSA PRIVATE KEY` lines.',
    `Look for ${dashes}BEGIN PRIVATE KEY${dashes} in a diff.`,
    'Never put a password, token, private key or payment detail into a comment.',
    `commit ${hex(40)}`,
    `sha256 ${hex(64)}`,
    'secret: POST /api/secrets/{name}/lease',
    'api_key = process.env.SERVICE_API_KEY1',
    'The password must have 12 characters, one digit and one capital.',
  ])('a text that only looks like a secret is not reported: %s', async (text) => {
    expect(await rulesOf(text)).toEqual([]);
  });
});
