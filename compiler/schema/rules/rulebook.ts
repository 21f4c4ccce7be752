import type { RuleId } from '../diagnostics.ts';
import { CAPABILITY } from './capability.ts';
import { GATE } from './coverage-gate.ts';
import { CRAFT } from './craft.ts';
import type { RuleExplanation } from './explanation.ts';
import { GARDEN } from './garden.ts';
import { SECURITY } from './security.ts';
import { TASK } from './task.ts';
import { UNIT } from './unit.ts';

export type { RuleExplanation, RuleClass } from './explanation.ts';

/** The explanation of every rule; `compiler/lint/RULES.md` is generated from it. */
export const RULEBOOK: Readonly<Record<RuleId, RuleExplanation>> = {
  ...SECURITY,
  ...CRAFT,
  ...UNIT,
  ...GARDEN,
  ...CAPABILITY,
  ...TASK,
  ...GATE,
};
