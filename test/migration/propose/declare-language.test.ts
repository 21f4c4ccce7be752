import { expect, test } from 'vitest';
import { declareLanguage } from '../../../compiler/migration/propose/propose-agent.ts';
import { agentYaml } from '../../support/unit-files.ts';

const PLAIN = agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', '# the end\n');

test('an agent.yaml gets one line at its end, and keeps all other bytes', () => {
  expect(declareLanguage(PLAIN, 'ja')).toBe(`${PLAIN}language: ja\n`);
  expect(declareLanguage(PLAIN.trimEnd(), 'ja')).toBe(`${PLAIN.trimEnd()}\nlanguage: ja\n`);
  const windows = `\uFEFF${PLAIN.replaceAll('\n', '\r\n')}`;
  expect(declareLanguage(windows, 'ja')).toBe(`${windows}language: ja\r\n`);
  const list = `${PLAIN}shared:\n  - tone\n`;
  expect(declareLanguage(list, 'de')).toBe(`${list}language: de\n`);
});

test('a line behind a block of text still declares it', () => {
  const block = `${PLAIN.replace('role: CTO\n', '')}role: |\n  CTO\n`;
  expect(declareLanguage(block, 'ja')).toBe(`${block}language: ja\n`);
});

test.each([
  ['is a flow mapping', `{ ${PLAIN.replace('# the end\n', '').trim().split('\n').join(', ')} }\n`],
  ['ends its document', `${PLAIN}...\n`],
  ['begins another document', `${PLAIN}---\n`],
  ['declares a language', `${PLAIN}language: de\n`],
  ['is not valid', 'agent_id: x\n'],
  ['is empty', ''],
  ['is not UTF-8', PLAIN.replace('CTO', 'C\uFFFDO')],
])('an agent.yaml that %s is not changed', (_, text) => {
  expect(declareLanguage(text, 'ja')).toBeNull();
});
