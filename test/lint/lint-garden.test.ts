import { describe, expect, test } from 'vitest';
import { unitFile } from '../support/repository.ts';
import { SOUND, toldOf, unit, faultsOf, AGENT } from './firing.ts';

const words = (count: number) => Array.from({ length: count }, (_, i) => `step${i % 97}x${i}`).join(' ');
const long = (about: string) =>
  `Do all of this about ${about}: look closely, ask whoever knows, write the answer down, tell it.`;
const GUARANTEED = 'guarantee_load: true\n';

test('a sound garden is told nothing', () => {
  expect(toldOf([])).toEqual([]);
});

describe('near-duplicate units', () => {
  const text =
    'Open the register, note the day and the amount, attach the receipt, and ask the lead to sign before you pay it.';

  test('are told where the texts are nearly one', () => {
    const first = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', text));
    const second = unit('pay-invoice', unitFile('Pay an invoice', ['an invoice arrived'], '', `${text} Keep a copy.`));
    expect(toldOf([first, second])).toEqual(['pay-invoice.md: unit_near_duplicate']);
  });

  test('and not where they share a sentence', () => {
    const first = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', `${text} ${words(40)}`));
    const second = unit(
      'claim',
      unitFile('Claim costs', ['I paid myself'], '', `${text} ${long('the claim')} ${words(90)}`),
    );
    expect(toldOf([first, second])).toEqual([]);
  });

  test('are told of a shared unit and an agent’s own', () => {
    const shared = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', text), 'shared');
    const own = unit('pay-invoice', unitFile('Pay an invoice', ['an invoice arrived'], '', text));
    expect(toldOf([own], { shared: [shared] })).toEqual(['pay-invoice.md: unit_near_duplicate']);
  });
});

describe('§21.2.2 triggers', () => {
  test('that two siblings have in common are told, at the intent', () => {
    const mine = unit('deploy', unitFile('Ship it', ['about to deploy the release'], '', long('shipping')));
    const other = unit(
      'roll-out',
      unitFile('Bring it out', ['I want lunch', 'about to deploy a release'], '', long('weather')),
    );
    const [found] = faultsOf([mine, other]);
    expect(found).toMatchObject({ rule: 'trigger_overlap', file: 'instructions/agents/cto/roll-out.md', line: 6 });
    expect(found?.message).toContain('deploy');
  });

  test('that share a word are not', () => {
    const mine = unit('deploy', unitFile('Ship it', ['about to deploy the release'], '', long('shipping')));
    const other = unit('notes', unitFile('Write notes', ['customers ask what a release brings'], '', long('weather')));
    expect(toldOf([mine, other])).toEqual([]);
  });

  test('that repeat a sentence, a heading or the description are told', () => {
    const text =
      'Set the issue to blocked and name what would unblock it. Then go on with other work, and look again tomorrow.';
    const intents = ['set the issue to blocked and name what would unblock it'];
    const copied = unit('stuck', unitFile('Raise a hand', intents, '', text));
    const titled = unit('money', unitFile('Spend company money', ['spend company money'], '', long('purchases')));
    expect(toldOf([copied, titled])).toEqual([
      'stuck.md: trigger_repeats_content',
      'money.md: trigger_repeats_content',
    ]);
  });

  test('that name the situation in words of the text are not', () => {
    const text =
      'Set the issue to blocked and name what would unblock it. Then go on with other work, and look again tomorrow.';
    const named = unit('stuck', unitFile('Raise a hand', ['I am blocked and nobody answers'], '', text));
    expect(toldOf([named])).toEqual([]);
  });
});

describe('unreachable units', () => {
  const silent = (more = '') => unit('silent', unitFile('Nobody asks', [], more, long('nothing')));

  test('are told: no trigger and no link, or unlisted without triggers', () => {
    expect(toldOf([silent()])).toEqual(['silent.md: unit_unreachable']);
    const linked = unit('leads', unitFile('Leads on', ['where to look'], 'related: [silent]\n', long('leading')));
    expect(toldOf([silent('listed: false\n'), linked])).toEqual(['silent.md: unit_unreachable']);
  });

  test('are not those that a link, a wake reason, a guarantee or the agent itself leads to', () => {
    const linked = unit(
      'leads',
      unitFile('Leads on', ['where to look'], '', `${long('leading')} See [it](silent.md).`),
    );
    expect(toldOf([silent(), linked])).toEqual([]);
    expect(toldOf([silent('required_by_task_types: [manual]\n')])).toEqual([]);
    expect(toldOf([silent(GUARANTEED)])).toEqual([]);
    const contract = { ...AGENT, config: { ...AGENT.config, heartbeat_contract: 'silent' } };
    expect(toldOf([silent()], { agent: contract })).toEqual([]);
  });

  test('are no shared units that an agent names', () => {
    const shared = { agent: null, units: [unit('lore', unitFile('Lore', [], '', long('lore')), 'shared')] };
    expect(toldOf([], { ...shared, namedElsewhere: new Set(['lore']) })).toEqual([]);
    expect(toldOf([], shared)).toEqual(['lore.md: unit_unreachable']);
  });
});

describe('§21.1.1 what most situations ask for', () => {
  const preloaded = (reasons: string) =>
    unit('always', unitFile('Every time', ['each time'], `required_by_task_types: [${reasons}]\n`, long('always')));
  const most = 'issue_assigned, issue_commented, manual, routine_fired, approval_resolved';

  test('is told to belong into boot.md: preloaded by most wake reasons', () => {
    expect(toldOf([preloaded(most)])).toEqual(['always.md: boot_candidate']);
    expect(toldOf([preloaded('issue_assigned, manual')])).toEqual([]);
  });

  test('is told to belong into boot.md: called for by most siblings', () => {
    const siblings = ['mail', 'code', 'money', 'press', 'staff'].map((it) =>
      unit(it, unitFile(`On ${it}`, [`handle customer data in ${it}`], '', `${long(it)} ${words(30)}`)),
    );
    const data = unit('data', unitFile('Privacy', ['handle customer data at all'], '', long('privacy')));
    expect(toldOf([...siblings, data])).toContain('data.md: boot_candidate');
  });
});

describe('sizes', () => {
  test('under 20 and over 600 tokens are told', () => {
    expect(toldOf([unit('tiny', unitFile('Tiny', ['very small'], '', 'Do it.'))])).toEqual(['tiny.md: unit_short']);
    expect(toldOf([unit('huge', unitFile('Huge', ['very large'], '', words(300)))])).toEqual(['huge.md: unit_long']);
  });

  test('of guaranteed units are told from more than half of the default budget on', () => {
    const big = (name: string, count: number) => unit(name, unitFile(name, [`need ${name}`], GUARANTEED, words(count)));
    const one = big('one', 120);
    expect(toldOf([one])).toEqual([]);
    expect(toldOf([one, big('two', 119), big('three', 40)])).toContain('one.md: guaranteed_large');
  });
});

describe('what every agent needs', () => {
  const [heartbeat, wrapUp, limits] = SOUND;

  test('is told where it is missing', () => {
    expect(toldOf([], { units: [heartbeat!, limits!] })).toContain('agent.yaml: agent_wrap_up_missing');
    expect(toldOf([], { units: [heartbeat!, wrapUp!] })).toContain('agent.yaml: agent_limits_missing');
  });

  test('may stand in boot.md or in a shared unit', () => {
    const boot = 'Never spend money.\nBefore you exit, release your checkouts.\n';
    expect(toldOf([], { units: [{ ...heartbeat!, delivery: { ...heartbeat!.delivery, related: [] } }], boot })).toEqual(
      [],
    );
    const shared = unit('safety-rules', unitFile('Safety', ['may I'], '', long('safety')), 'shared');
    expect(toldOf([], { units: [heartbeat!, wrapUp!], shared: [shared] })).toEqual([]);
  });
});
