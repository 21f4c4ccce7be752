import PROMPTS from './prompts.json' with { type: 'json' };

/**
 * What people type to agents all day, and no handbook answers: short and long, in English and ten other languages,
 * written by hands that saw no garden. A garden is measured by them (README.md).
 */
export const EVERYDAY: readonly string[] = PROMPTS;
