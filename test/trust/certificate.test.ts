import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import type { Bundle } from '../../compiler/schema/bundle/bundle.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { Garden } from '../../compiler/schema/bundle/garden.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { bindingOf, type Bound } from '../../compiler/trust/certificate.ts';
import { judge } from '../gardens/judged.ts';
import { forge, readWhole, resign } from '../io/forging.ts';
import { NOW, readPublished } from '../io/published.ts';
import { compileToFolder } from '../support/compiled.ts';
import { reasonOf } from '../support/refused.ts';
import { smallDeployment } from '../support/repository.ts';
import { person, staff } from '../support/staff.ts';

const trust = staff([person('ann')]);
let bundle: Bundle;
let folder: string;
let cto: Garden;
let repo: string;

beforeAll(async () => {
  const small = smallDeployment();
  small.commit();
  repo = small.path;
  ({ out: folder, bundle } = await compileToFolder(repo, { trust }));
  cto = bundle.built.find((it) => it.name === 'cto')!;
});

/** Why the bundle is refused with another garden of the cto, whose every signature is right. */
const reason = (change: { files?: ReadonlyMap<string, Buffer>; predicate?: object }) =>
  reasonOf(() => {
    const garden = (it: Garden) => (it.name === 'cto' ? resign(it, [trust.signer], change) : it);
    readWhole(forge(bundle, { garden, signers: [trust.signer] }), trust.root);
  });

const json = (path: string) => JSON.parse(cto.files.get(path)!.toString('utf8')) as Record<string, object>;
const withFile = (path: string, value: object) => ({ files: new Map([...cto.files, [path, canonicalBytes(value)]]) });
const judged = (change: object) => withFile('coverage.json', { ...json('coverage.json'), ...change });
const OTHER = '0'.repeat(64);

describe('§21.8.3 a coverage certificate', () => {
  test('the certificate of a compiled garden is accepted', () => {
    expect(reason({})).toBe('believed');
  });

  test.each(['index', 'model', 'generator', 'weights', 'triggers'])(
    'a certificate with another %s is refused',
    (part) => {
      const binding = { ...json('coverage.json')['binding'], [part]: OTHER };
      expect(reason(judged({ binding }))).toBe('certificate_mismatch');
    },
  );

  test.each<[string, () => Parameters<typeof reason>[0]]>([
    ['a certificate of another format', () => judged({ format: 9 })],
    ['a certificate of another layout', () => judged({ units: [{ name: 'wrap-up', coverage_pct: 1 }] })],
    ['facts of another format', () => withFile('facts.json', { ...json('facts.json'), format: 9 })],
    ['facts of another layout', () => withFile('facts.json', { format: 1, facts: [{ name: 'wrap-up' }] })],
  ])('%s is refused as format_unknown', (_, change) => {
    expect(reason(change())).toBe('format_unknown');
  });

  test('a certificate is refused if the index differs', () => {
    const path = [...cto.files.keys()].find((it) => it.startsWith('index/') && it.endsWith('.json'))!;
    expect(reason(withFile(path, { ...json(path), more: 1 }))).toBe('certificate_mismatch');
  });

  test('a certificate is refused if the triggers differ', () => {
    const [first, ...rest] = json('facts.json')['facts'] as Fact[];
    const load_triggers = { ...first!.delivery.load_triggers, intents: ['something else'] };
    const facts = [{ ...first, delivery: { ...first!.delivery, load_triggers } }, ...rest];
    expect(reason(withFile('facts.json', { format: 1, facts }))).toBe('certificate_mismatch');
  });

  test('a certificate is refused if the model differs', () => {
    const model = { ...cto.statement.predicate.model!, digest: OTHER };
    expect(reason({ predicate: { model } })).toBe('certificate_mismatch');
  });

  test('a certificate of another paraphrase generator is refused', async () => {
    const { out } = await compileToFolder(repo, { trust, over: { gate: judge([], { generator: 'another/1' }) } });
    expect(reasonOf(() => readWhole(out, trust.root))).toBe('certificate_mismatch');
  });

  test('a garden without coverage.json is refused', () => {
    const files = new Map([...cto.files].filter(([path]) => path !== 'coverage.json'));
    expect(reason({ files })).toBe('certificate_mismatch');
  });

  test('a garden with one unit below the threshold is refused without a bypass', () => {
    const [first, ...others] = json('coverage.json')['units'] as object[];
    expect(others.length).toBeGreaterThan(0);
    const units = [{ ...first, coverage_pct: 0.79 }, ...others];
    expect(reason(judged({ units }))).toBe('certificate_mismatch');
    const change = { ...judged({ units }), predicate: { recertify_by: '2031-01-01T00:00:00Z' } };
    expect(reason(change)).toBe('approval_missing');
  });
});

describe('§21.8.3 the binding of a certificate', () => {
  const facts = () => readPublished(folder, trust).facts();
  const bound = (): Bound => ({
    index: new Map([['index/a', OTHER]]),
    model: { name: 'm' },
    generator: 'g',
    scoring: { a: 1 },
    facts: facts(),
  });

  test('the binding does not depend on the order of files and facts', () => {
    const index = new Map([
      ['index/b', 'x'],
      ['index/a', OTHER],
    ]);
    const turned = new Map([...index].reverse());
    const one = bindingOf({ ...bound(), index, scoring: { a: 1, b: 2 } });
    expect(bindingOf({ ...bound(), index: turned, scoring: { b: 2, a: 1 }, facts: facts().reverse() })).toEqual(one);
  });

  test.each<[string, (it: Bound) => Partial<Bound>]>([
    ['index', () => ({ index: new Map([['index/a', '1'.repeat(64)]]) })],
    ['index', () => ({ index: new Map([['index/b', OTHER]]) })],
    ['model', () => ({ model: { name: 'n' } })],
    ['model', () => ({ model: null })],
    ['generator', () => ({ generator: 'h' })],
    ['weights', () => ({ scoring: { a: 2 } })],
    ['triggers', (it) => ({ facts: it.facts.slice(1) })],
  ])('another %s changes only that digest of the binding', (part, change) => {
    const [one, other] = [bindingOf(bound()), bindingOf({ ...bound(), ...change(bound()) })];
    const differs = Object.keys(one).filter((key) => one[key as keyof typeof one] !== other[key as keyof typeof one]);
    expect(differs).toEqual([part]);
  });

  test('a compiled bundle has the computed binding', () => {
    const { binding } = json('coverage.json');
    const opened = openBundle(folder, { pinned: trust.root, now: NOW });
    const { subject } = opened.readGarden('cto').statement;
    const index = subject
      .filter(({ name }) => name.startsWith('index/'))
      .map((it) => [it.name, it.digest.sha256] as const);
    expect(bindingOf({ ...bound(), index: new Map(index) })).toMatchObject({
      index: (binding as { index: string }).index,
      triggers: (binding as { triggers: string }).triggers,
    });
  });
});
