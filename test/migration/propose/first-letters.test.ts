import { expect, it } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { proposeUnits } from './unsettled.ts';

it('§21.2.2 keeps the letters that a heading begins with in a trigger, of whatever script', () => {
  const triggers = (said: string) => {
    const document = { path: '案内.md', text: `## ${said}\n\nText.\n\n## Notes\n\nMore of it.\n` };
    const { units } = proposeUnits([document], new Map(), { agent: 'x', countTokens });
    return units.flatMap(({ load_triggers }) => load_triggers?.intents ?? []).join();
  };
  expect(triggers('Écrire le journal')).toMatch(/[ée]crire le journal/iu);
  expect(triggers('この数字は')).toContain('この数字は');
});
