import { beforeAll, describe, expect, test } from 'vitest';
import { functionWordsOf } from '../../compiler/gardens/language/function-words.ts';
import { INDEX_FILES, type Signal } from '../../compiler/recall/index/search-index.ts';
import { functionWordsFrom, terms } from '../../compiler/recall/signals/terms.ts';
import { Language, LANGUAGES } from '../../compiler/schema/source/language.ts';
import { publish } from '../io/published.ts';
import { testTrust } from '../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const trust = testTrust();
const OTHER = '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11';
const ORG = 'deployment: acme\ncompiler: 0.1.0\n';

/** A second agent, whose own language is German. */
function deployment(): Repository {
  return smallDeployment()
    .write('instructions/agents/ops/agent.yaml', `${agentYaml(OTHER)}language: de\n`)
    .write('instructions/agents/ops/heartbeat.md', unitFile('Was zuerst zu tun ist', ['die Arbeit beginnen']));
}

type Published = Awaited<ReturnType<typeof publish>>;
const termsOf = ({ file }: Published, agent: string) =>
  JSON.parse(file(agent, INDEX_FILES.terms).toString('utf8')) as { terms: string[]; function_words?: string[] };
const signalsOf = ({ predicate }: Published, agent: string): Signal[] => predicate(agent).signals;

describe('a handbook says in which language it is', () => {
  let english: Published;
  let chinese: Published;
  let named: Published;
  beforeAll(async () => {
    const repo = deployment();
    repo.commit();
    english = await publish(repo.path, { trust });
    repo.write('instructions/org.yaml', `${ORG}language: zh\n`).commit('language');
    chinese = await publish(repo.path, { trust });
    repo.write('instructions/org.yaml', `${ORG}language: en\n`).commit('English, which it was');
    named = await publish(repo.path, { trust });
  });

  test('without a word on it the index of a garden is that of an English one', () => {
    expect(signalsOf(english, 'cto')).toEqual(['lexical', 'semantic', 'graph']);
    expect(termsOf(english, 'cto')).not.toHaveProperty('function_words');
    for (const path of Object.values(INDEX_FILES)) {
      expect(named.file('cto', path).equals(english.file('cto', path))).toBe(true);
    }
  });

  test('in another one the function words are in the index, and the built-in vectors are not', () => {
    expect(signalsOf(chinese, 'cto')).toEqual(['lexical', 'graph']);
    expect(termsOf(chinese, 'cto').function_words).toContain('的');
  });

  test('the language of an agent comes before that of the deployment', () => {
    for (const it of [english, chinese]) {
      expect(signalsOf(it, 'ops')).toEqual(['lexical', 'graph']);
      expect(termsOf(it, 'ops').function_words).toContain('und');
      expect(termsOf(it, 'ops').terms).not.toContain('die');
      expect(termsOf(it, 'ops').terms).toContain('arbeit');
    }
  });
});

describe('function words', () => {
  test('are spelled in lower case, sorted, each once', async () => {
    for (const language of Language.options) {
      const list = await functionWordsOf(language);
      if (language === 'en') expect(list).toBeNull();
      else expect(list).toEqual([...new Set(list)].sort());
    }
  });

  test('of nearly every language are known', async () => {
    const without = [];
    for (const language of Language.options) {
      if ((await functionWordsOf(language))?.length === 0) without.push(LANGUAGES[language]);
    }
    expect(without).toEqual(['Khmer', 'Lao']);
  });

  test('are no terms, alone or as a pair of such characters; a phrase keeps them', async () => {
    const german = functionWordsFrom((await functionWordsOf('de')) ?? []);
    const chinese = functionWordsFrom((await functionWordsOf('zh')) ?? []);
    expect(terms('wie beantrage ich Urlaub', false, german)).toEqual(['beantrag', 'urlaub']);
    expect(terms('wie lange Urlaub', true, german)).toEqual(['urlaub', 'wie lang', 'lang urlaub']);
    expect(terms('这是什么', false, chinese)).toEqual([]);
    expect(terms('请假时', false, chinese)).toEqual(['请假', '假时']);
  });
});
