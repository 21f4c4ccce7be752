import type { RuleId } from './fault.ts';
import { CRAFT } from './rulebook/craft.ts';
import type { Explanation } from './rulebook/explanation.ts';
import { GARDEN } from './rulebook/garden.ts';
import { GATE } from './rulebook/gate.ts';
import { SECURITY } from './rulebook/security.ts';
import { UNIT } from './rulebook/unit.ts';

export { CLASSES, type Explanation, type RuleClass } from './rulebook/explanation.ts';

/** Every rule explained, none left out; `compiler/stages/RULES.md` is written from it. */
export const RULEBOOK: Readonly<Record<RuleId, Explanation>> = { ...SECURITY, ...CRAFT, ...UNIT, ...GARDEN, ...GATE };
