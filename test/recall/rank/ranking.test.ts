import { beforeAll, describe, expect, test } from 'vitest';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { ask, plant, type Planted } from '../garden.ts';

/** Ten units that anyone can tell apart. */
const HANDBOOK: readonly Planted[] = [
  {
    name: 'angry-customers',
    description: 'How to answer a customer who is upset',
    intents: ['a customer is shouting at me', 'reply to a complaint'],
    keywords: ['complaint', 'rude'],
    content: 'Let them finish. Say what you will do, and by when.',
  },
  {
    name: 'code-review',
    description: 'What to look for in a pull request',
    intents: ['review a pull request', 'approve a merge'],
    keywords: ['diff', 'reviewer'],
    content: 'Read the tests before the code. Ask for smaller changes.',
    links: ['release-decision'],
  },
  {
    name: 'data-deletion',
    description: 'Erasing a person’s data on request',
    intents: ['someone wants their account deleted', 'a GDPR erasure request'],
    keywords: ['gdpr', 'privacy'],
    content: 'Verify who asks. Erase within thirty days, backups included.',
  },
  {
    name: 'hiring',
    description: 'From an open position to a signed offer',
    intents: ['interview a candidate', 'write a job description'],
    keywords: ['recruiting', 'salary'],
    content: 'Two interviewers at least. Write notes before you talk.',
  },
  {
    name: 'incident-response',
    description: 'What to do while production is down',
    intents: ['the site is down', 'an alert fired at night'],
    keywords: ['outage', 'pager', 'downtime'],
    content: 'Name one commander. Stop the bleeding first, look for causes later.',
    links: ['postmortem'],
  },
  {
    name: 'leaked-secrets',
    description: 'A password or token became public',
    intents: ['an api key was pushed to github', 'rotate credentials'],
    keywords: ['secret', 'credential', 'rotate'],
    content: 'Revoke first, ask later. Then find out where it was used.',
  },
  {
    name: 'postmortem',
    description: 'Learning from a failure without blame',
    intents: ['write up what went wrong'],
    keywords: ['blameless', 'root cause'],
    content: 'A timeline, causes, and what we change. No names.',
  },
  {
    name: 'refunds',
    description: 'When money goes back to a customer',
    intents: ['a customer wants money back', 'issue a refund'],
    keywords: ['chargeback', 'invoice'],
    content: 'Up to 100 euros at once; above, ask.',
  },
  {
    name: 'release-decision',
    description: 'Whether a version goes out today',
    intents: ['ship a release', 'can we deploy on friday'],
    keywords: ['deploy', 'rollback', 'freeze'],
    content: 'Green tests, a way back, and somebody awake.',
  },
  {
    name: 'wrap-up',
    description: 'How to leave work so that others can go on',
    intents: ['done for today', 'hand over to somebody'],
    keywords: ['sign off', 'handover'],
    content: 'Push what you have, write where you stopped, release the lock.',
  },
];

describe('a handbook of ten units', () => {
  let garden: RecallGarden;

  beforeAll(async () => {
    garden = await plant(HANDBOOK);
  });

  test.each([
    ['I need to review the pull request of a colleague', ['code-review']],
    ['a customer is complaining loudly and wants his money back', ['angry-customers', 'refunds']],
    ['someone pushed an AWS key to GitHub', ['leaked-secrets']],
    ['production is down and the pager went off', ['incident-response']],
    ['can I deploy this release on a Friday?', ['release-decision']],
    ['delete an account because of the GDPR', ['data-deletion']],
    ['I am done for today and hand over my work', ['wrap-up']],
    ['prepare the interview with a candidate', ['hiring']],
    ['issue refunds for two invoices', ['refunds']],
    ['what went wrong, and what was the root cause', ['postmortem']],
    ['rolling back a bad deploy', ['release-decision']],
    ['rotate all credentials', ['leaked-secrets']],
  ])('the intent “%s” recalls %j', (intent, wanted) => {
    expect(ask(garden, intent).names).toEqual(expect.arrayContaining(wanted));
    expect(wanted).toContain(ask(garden, intent).names[0]);
  });

  test('a unit that the best one links to is ranked second', () => {
    const { ranking } = ask(garden, 'an alert fired, there is an outage');
    expect(ranking.slice(0, 2)).toEqual(['incident-response', 'postmortem']);
  });
});
