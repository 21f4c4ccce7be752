import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ran } from '../../../support/cli.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, workplace, type Workplace } from '../../workplace.ts';

const ASK = ['--agent', 'cto', '--intent', 'done for today'];
const readers: [name: string, args: string[]][] = [
  ['recall', ['recall', ...ASK]],
  ['serve', ['serve', '--port', '0']],
  ['compile --previous', ['compile', '--key', 'signing.pem', '--out', 'again', '--previous', 'bundle']],
];

describe('DESIGN §8 a development bundle', () => {
  let place: Workplace;

  beforeAll(async () => {
    place = workplace();
    expect((await place.run(['compile', '--dev'])).code).toBe(0);
  });

  test('a development bundle verifies under --dev, by the root that .vade/ keeps out of git', async () => {
    expect((await place.run(['recall', '--dev', ...ASK])).code).toBe(0);
    expect(existsSync(join(place.cwd, '.vade/dev-trust.json'))).toBe(true);
    expect(place.repo.git('status', '--porcelain', '--', '.vade')).toBe('');
  });

  test.each(readers)('%s refuses a development bundle without --dev', async (_name, args) => {
    expect(failure(await place.run(args))).toEqual([4, 'TRUST_REQUIRED']);
  });

  test.each(readers)('%s refuses the development root as --trust', async (_name, args) => {
    const ran = await place.run([...args, '--trust', '.vade/dev-trust.json']);
    expect(failure(ran)).toEqual([4, 'TRUST_REQUIRED']);
  });

  test.each(readers)('%s refuses a development bundle with a production root', async (_name, args) => {
    expect(failure(await place.run([...args, ...TRUST]))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });

  test('a development bundle is refused by the development root of another folder', async () => {
    const other = workplace();
    expect((await other.run(['compile', '--dev'])).code).toBe(0);
    const ran = await other.run(['recall', '--dev', '--bundle', join(place.cwd, 'bundle'), ...ASK]);
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});

describe('DESIGN §7 a production bundle', () => {
  test('a production bundle is refused by the development root, and by another production root', async () => {
    const [place, other] = [await compiledWorkplace(), workplace()];
    await place.run(['compile', '--dev', '--out', 'development']);
    expect(failure(await place.run(['recall', '--dev', ...ASK]))).toEqual([7, 'BUNDLE_UNVERIFIED']);
    const bundle = join(place.cwd, 'bundle');
    expect(failure(await other.run(['recall', ...TRUST, '--bundle', bundle, ...ASK]))).toEqual([
      7,
      'BUNDLE_UNVERIFIED',
    ]);
  });
});

describe('keys are never printed', () => {
  const MARKER = 'swordfish';
  const pem = (type: 'rsa' | 'ec') =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ).privateKey
      .export({ type: 'pkcs8', format: 'pem' })
      .toString();
  const broken = `-----BEGIN PRIVATE KEY-----\n${MARKER}\n-----END PRIVATE KEY-----\n`;
  const prints = (ran: Ran, text: string) => (ran.stdout + ran.stderr).includes(text);

  test.each([
    ['a broken PEM', broken],
    ['a text that is not PEM', `${MARKER}\n`],
    ['an RSA key', pem('rsa')],
    ['an EC key', pem('ec')],
    ['nothing', ''],
  ])('%s as --key is refused without printing it', async (_name, content) => {
    const place = workplace();
    writeFileSync(join(place.cwd, 'bad.pem'), content);
    const ran = await place.run(['compile', ...TRUST, '--key', 'bad.pem']);
    expect(failure(ran)).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    const [line = MARKER] = content.split('\n').slice(1);
    expect([prints(ran, MARKER), line !== '' && prints(ran, line)]).toEqual([false, false]);
  });

  test('an invalid VADE_SIGNING_KEY is refused without printing it', async () => {
    const ran = await workplace().run(['compile', ...TRUST], { VADE_SIGNING_KEY: broken });
    expect(failure(ran)).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    expect(prints(ran, MARKER)).toBe(false);
  });

  test('a key given as the trust root is refused without printing it', async () => {
    const place = workplace();
    writeFileSync(join(place.cwd, 'bad.pem'), broken);
    const ran = await place.run(['compile', '--trust', 'bad.pem', '--key', 'signing.pem']);
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(prints(ran, MARKER)).toBe(false);
  });

  test.each([
    ['key list', ['key', 'list']],
    ['key create', ['key', 'create', '--agent', 'cto']],
    ['serve', ['serve', ...TRUST, '--port', '0']],
  ])('an invalid key file is refused without printing it: %s', async (_name, args) => {
    const place = await compiledWorkplace();
    writeFileSync(join(place.cwd, 'keys.json'), `${MARKER}\n`);
    const ran = await place.run(args);
    expect(prints(ran, MARKER)).toBe(false);
    expect(failure(ran)).toEqual([3, 'REQUEST_INVALID']);
  });

  test('a successful compile prints no private key', async () => {
    const ran = await workplace().run(['compile', ...SIGN]);
    expect(ran.code).toBe(0);
    expect(prints(ran, 'PRIVATE KEY')).toBe(false);
  });
});
