import { expect, test } from 'vitest';
import { faultsIn } from '../behaviours/author-errors/committed.ts';
import { smallDeployment } from '../support/repository.ts';

const FOLDER = 'instructions/agents/cto';
const TEXT = 'Ask two colleagues to talk to a candidate before anybody promises a salary.\n';
const unit = (more = '') =>
  `---\ndescription: How colleagues are hired\n${more}load_triggers: { intents: [somebody applies for a job] }\n---\n\n${TEXT}`;

test.each([
  ['without renamed_from is reported', unit(), ['rename_undeclared']],
  ['with renamed_from is not', unit('renamed_from: hiring\n'), []],
  ['of another text is not', unit().replace('two', 'three'), []],
])('§21.4.2 a unit that takes the place of a removed one %s', async (_, text, rules) => {
  const repo = smallDeployment().write(`${FOLDER}/hiring.md`, unit());
  repo.commit('hiring', 1_700_000_000);
  repo.git('rm', '--quiet', `${FOLDER}/hiring.md`);
  repo.write(`${FOLDER}/recruiting.md`, text).commit('recruiting', 1_700_000_100);
  const found = await faultsIn(repo);
  expect(found.map(({ rule }) => rule).filter((it) => it === 'rename_undeclared')).toEqual(rules);
});
