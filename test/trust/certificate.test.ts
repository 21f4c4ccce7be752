import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import type { Bundle } from '../../compiler/schema/bundle/bundle.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { Garden } from '../../compiler/schema/bundle/garden.ts';
import type { Language } from '../../compiler/schema/source/language.ts';
import { languageClaim, signApproval } from '../../compiler/trust/approval.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { assertCertified, bindingOf, type Bound } from '../../compiler/trust/certificate.ts';
import { judge } from '../gardens/judged.ts';
import { forge, readWhole, resign } from '../io/forging.ts';
import { NOW, readPublished } from '../io/published.ts';
import { compileToFolder } from '../support/compiled.ts';
import { reasonOf } from '../support/refused.ts';
import { smallDeployment } from '../support/repository.ts';
import { person, staff } from '../support/staff.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);
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

describe('§21.8.3 a certificate of texts in another language than English', () => {
  const OTHER_LANGUAGE = { not_evaluated: ['退款'], other_language: ['退款'] };

  /** Administrators' approval of this language for the garden of the cto. */
  const allowed = (language: Language, by = [ann]) => {
    const { deployment, garden, agent } = cto.statement.predicate;
    const claim = languageClaim(deployment, garden, agent!.agent_id, language);
    const terms = { source_digest: null, note: null, expires: null };
    return signApproval(
      { ...claim, ...terms },
      by.map((it) => it.signer),
    );
  };

  /** Checks the certificate of the cto with one unit changed. */
  const certify = (
    language: Language,
    approval: Buffer | null,
    unit: object = OTHER_LANGUAGE,
    guarantee_load = false,
    english: readonly string[] = [],
  ) => {
    const triggersOf = (i: number) => ({ intents: i === 0 ? ['退款', ...english] : [], keywords: [], task_types: [] });
    const facts = readPublished(folder, trust).facts();
    const bound: Bound = {
      index: new Map(),
      model: null,
      generator: 'g',
      scoring: {},
      facts: facts.map((it, i) => ({
        ...it,
        delivery: { ...it.delivery, guarantee_load, load_triggers: triggersOf(i) },
      })),
    };
    const [first, ...others] = json('coverage.json')['units'] as object[];
    const measured = { ...json('coverage.json'), binding: bindingOf(bound), units: [{ ...first, ...unit }, ...others] };
    const files = new Map([['coverage.json', canonicalBytes(measured)]]);
    if (approval) files.set('approvals/language.json', approval);
    const under = { root: trust.root.root, now: NOW, language };
    return { measured, read: () => assertCertified(cto.statement.predicate, bound, files, under) };
  };

  test('a garden that the gate cannot judge is believed, with its coverage as measured, once an administrator approved its language', () => {
    const { measured, read } = certify('zh', allowed('zh'));
    expect(read()).toEqual(measured);
  });

  test.each<[string, Language, () => Buffer | null]>([
    ['without an approval', 'zh', () => null],
    ['with an approval of another language', 'zh', () => allowed('ja')],
    ['that is declared to be in English, whatever was approved', 'en', () => allowed('en')],
    ['approved by who is no administrator', 'zh', () => allowed('zh', [person('eve')])],
  ])('a garden that the gate cannot judge is refused %s', (_, language, approval) => {
    expect(reasonOf(certify(language, approval()).read)).toBe('approval_missing');
  });

  test('a garden with such triggers, where they are not most, is believed without an approval', () => {
    expect(reasonOf(certify('en', null, OTHER_LANGUAGE, false, ['pay back']).read)).toBe('believed');
  });

  test('an approved language does not excuse a unit that fails in English', () => {
    const poor = { ...OTHER_LANGUAGE, not_evaluated: ['退款', 'pay back'] };
    expect(reasonOf(certify('zh', allowed('zh'), poor).read)).toBe('certificate_mismatch');
  });

  test('a language needs two administrators where a unit is guaranteed', () => {
    expect(reasonOf(certify('zh', allowed('zh'), OTHER_LANGUAGE, true).read)).toBe('approval_missing');
    expect(reasonOf(certify('zh', allowed('zh', [ann, bob]), OTHER_LANGUAGE, true).read)).toBe('believed');
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
