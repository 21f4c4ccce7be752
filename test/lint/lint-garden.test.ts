import { describe, expect, test } from 'vitest';
import { unitFile } from '../support/repository.ts';
import { SOUND, toldOf, unit, faultsOf, AGENT } from './firing.ts';

const words = (count: number) => Array.from({ length: count }, (_, i) => `step${i % 97}x${i}`).join(' ');
const long = (about: string) =>
  `Do all of this about ${about}: look closely, ask whoever knows, write the answer down, tell it.`;
const GUARANTEED = 'guarantee_load: true\n';

test('a sound garden has no diagnostics', () => {
  expect(toldOf([])).toEqual([]);
});

describe('near-duplicate units', () => {
  const text =
    'Open the register, note the day and the amount, attach the receipt, and ask the lead to sign before you pay it.';

  test('units with nearly the same text are reported as near duplicates', () => {
    const first = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', text));
    const second = unit('pay-invoice', unitFile('Pay an invoice', ['an invoice arrived'], '', `${text} Keep a copy.`));
    expect(toldOf([first, second])).toEqual(['pay-invoice.md: unit_near_duplicate']);
  });

  test('units that share one sentence are not near duplicates', () => {
    const first = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', `${text} ${words(40)}`));
    const second = unit(
      'claim',
      unitFile('Claim costs', ['I paid myself'], '', `${text} ${long('the claim')} ${words(90)}`),
    );
    expect(toldOf([first, second])).toEqual([]);
  });

  test('a shared unit and an agent’s own unit can be near duplicates', () => {
    const shared = unit('pay-bill', unitFile('Pay a bill', ['a bill came in'], '', text), 'shared');
    const own = unit('pay-invoice', unitFile('Pay an invoice', ['an invoice arrived'], '', text));
    expect(toldOf([own], { shared: [shared] })).toEqual(['pay-invoice.md: unit_near_duplicate']);
  });
});

describe('§21.2.2 descriptions', () => {
  test('a description that only names its unit, as a text of some kind, is told', () => {
    const told = toldOf([
      unit('deployments', unitFile('Instructions on deployments.', ['ship a release'], '', long('shipping'))),
      unit('invoices', unitFile('How to pay invoices', ['a bill has come'], '', long('money'))),
    ]);
    expect(told).toEqual(['deployments.md: description_says_little']);
  });

  test('of two descriptions in nearly the same words the later one is told, also where the first is shared', () => {
    const said = 'When a customer wants to give back what was bought';
    const shared = unit('refunds', unitFile(said, ['money back'], '', long('money')), 'shared');
    const own = unit('returns', unitFile(`${said}!`, ['send it back'], '', long('parcels')));
    expect(toldOf([own], { shared: [shared] })).toEqual(['returns.md: description_overlap']);
  });
});

describe('§21.2.2 triggers', () => {
  const overlapping = (one: string, other: string) => {
    const units = [one, other].map((it, at) => unit(`u${at}`, unitFile(`Unit ${at}`, [it], '', long(`text${at}`))));
    return toldOf(units).filter((it) => it.includes('trigger_overlap'));
  };

  test('triggers of function words alone are compared by them', () => {
    expect(overlapping('The Who', 'the who')).toEqual(['u1.md: trigger_overlap']);
    expect(overlapping('The Who', 'who will')).toEqual([]);
  });

  test('a word with other vowel signs is another word', () => {
    expect(overlapping('कैमरा खराब', 'कमरा खराब')).toEqual([]);
    expect(overlapping('Straße gesperrt', 'STRASSE gesperrt')).toEqual(['u1.md: trigger_overlap']);
  });

  test('a trigger that two units have is reported at the intent', () => {
    const mine = unit('deploy', unitFile('Ship it', ['about to deploy the release'], '', long('shipping')));
    const other = unit(
      'roll-out',
      unitFile('Bring it out', ['I want lunch', 'about to deploy a release'], '', long('weather')),
    );
    const [found] = faultsOf([mine, other]);
    expect(found).toMatchObject({ rule: 'trigger_overlap', file: 'instructions/agents/cto/roll-out.md', line: 6 });
    expect(found?.message).toContain('deploy');
  });

  test('triggers that share one word are not reported', () => {
    const mine = unit('deploy', unitFile('Ship it', ['about to deploy the release'], '', long('shipping')));
    const other = unit('notes', unitFile('Write notes', ['customers ask what a release brings'], '', long('weather')));
    expect(toldOf([mine, other])).toEqual([]);
  });

  test('triggers that repeat a sentence, a heading or the description are reported', () => {
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

  test('triggers that name the situation in words of the text are not reported', () => {
    const text =
      'Set the issue to blocked and name what would unblock it. Then go on with other work, and look again tomorrow.';
    const named = unit('stuck', unitFile('Raise a hand', ['I am blocked and nobody answers'], '', text));
    expect(toldOf([named])).toEqual([]);
  });
});

describe('unreachable units', () => {
  const silent = (more = '') => unit('silent', unitFile('Nobody asks', [], more, long('nothing')));

  test('a unit is unreachable without trigger and link, or if it is unlisted and has no trigger', () => {
    expect(toldOf([silent()])).toEqual(['silent.md: unit_unreachable']);
    const linked = unit('leads', unitFile('Leads on', ['where to look'], 'related: [silent]\n', long('leading')));
    expect(toldOf([silent('listed: false\n'), linked])).toEqual(['silent.md: unit_unreachable']);
  });

  test('a unit is reachable by a link, a wake reason, a guarantee or agent.yaml', () => {
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

  test('a shared unit that an agent names is reachable', () => {
    const shared = { agent: null, units: [unit('lore', unitFile('Lore', [], '', long('lore')), 'shared')] };
    expect(toldOf([], { ...shared, namedElsewhere: new Set(['lore']) })).toEqual([]);
    expect(toldOf([], shared)).toEqual(['lore.md: unit_unreachable']);
  });
});

describe('§21.1.1 what most situations ask for', () => {
  const preloaded = (reasons: string) =>
    unit('always', unitFile('Every time', ['each time'], `required_by_task_types: [${reasons}]\n`, long('always')));
  const most = 'issue_assigned, issue_commented, manual, routine_fired, approval_resolved';

  test('a unit that most wake reasons preload should be in boot.md', () => {
    expect(toldOf([preloaded(most)])).toEqual(['always.md: boot_candidate']);
    expect(toldOf([preloaded('issue_assigned, manual')])).toEqual([]);
  });

  test('a unit that most siblings’ intents match should be in boot.md', () => {
    const siblings = ['mail', 'code', 'money', 'press', 'staff'].map((it) =>
      unit(it, unitFile(`On ${it}`, [`handle customer data in ${it}`], '', `${long(it)} ${words(30)}`)),
    );
    const data = unit('data', unitFile('Privacy', ['handle customer data at all'], '', long('privacy')));
    expect(toldOf([...siblings, data])).toContain('data.md: boot_candidate');
  });
});

describe('sizes', () => {
  test('units under 20 and over 600 tokens are reported', () => {
    expect(toldOf([unit('tiny', unitFile('Tiny', ['very small'], '', 'Do it.'))])).toEqual(['tiny.md: unit_short']);
    expect(toldOf([unit('huge', unitFile('Huge', ['very large'], '', words(300)))])).toEqual(['huge.md: unit_long']);
  });

  test('guaranteed units are reported above half of the default budget', () => {
    const big = (name: string, count: number) => unit(name, unitFile(name, [`need ${name}`], GUARANTEED, words(count)));
    const one = big('one', 120);
    expect(toldOf([one])).toEqual([]);
    expect(toldOf([one, big('two', 119), big('three', 40)])).toContain('one.md: guaranteed_large');
  });
});

describe('what is never closed', () => {
  const REST = 'Read the log first, then name the service, the time and the person who was on call that night.';

  test.each([
    ['a code fence', `${REST}\n\n\`\`\`sh\nls\n\n## Testing`, 12],
    ['a fence that one in it has ended early', `${REST}\n\n\`\`\`md\n\`\`\`js\na\n\`\`\`\n\`\`\`\n\n## Testing`, 16],
    ['a comment', `${REST}\n\n<!-- later\n\n## Testing`, 12],
  ])('%s that swallows the rest of a unit is told with its line', (_what, text, line) => {
    const found = faultsOf([unit('logs', unitFile('Where logs lie', ['read the logs'], '', text))]);
    expect(found).toMatchObject([{ rule: 'markup_open', line }]);
  });

  test('fences and comments that end are not told, nor is code by its indentation', () => {
    const text = `${REST}\n\n\`\`\`\`md\n\`\`\`js\na\n\`\`\`\n\`\`\`\`\n\n<!-- done -->\n\n- x\n\n  \`\`\`\n  y\n  \`\`\`\n\n      ls`;
    expect(faultsOf([unit('logs', unitFile('Where logs lie', ['read the logs'], '', text))])).toEqual([]);
  });
});

describe('what every agent needs', () => {
  const [heartbeat, wrapUp, limits] = SOUND;

  test('missing limits and wrap-up instructions are reported', () => {
    expect(toldOf([], { units: [heartbeat!, limits!] })).toContain('agent.yaml: agent_wrap_up_missing');
    expect(toldOf([], { units: [heartbeat!, wrapUp!] })).toContain('agent.yaml: agent_limits_missing');
  });

  test('of a handbook in another language than English nothing is said to be missing', () => {
    expect(toldOf([], { units: [heartbeat!], language: 'ja' }).filter((it) => it.startsWith('agent.yaml'))).toEqual([]);
  });

  test('limits and wrap-up instructions may be in boot.md or in a shared unit', () => {
    const boot = 'Never spend money.\nBefore you exit, release your checkouts.\n';
    expect(toldOf([], { units: [{ ...heartbeat!, delivery: { ...heartbeat!.delivery, related: [] } }], boot })).toEqual(
      [],
    );
    const shared = unit('safety-rules', unitFile('Safety', ['may I'], '', long('safety')), 'shared');
    expect(toldOf([], { units: [heartbeat!, wrapUp!], shared: [shared] })).toEqual([]);
  });
});
