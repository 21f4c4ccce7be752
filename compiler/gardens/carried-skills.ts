import {
  MAX_SKILL_FILE_BYTES,
  MAX_SKILLS_BYTES,
  type Skill,
  type SkillFile,
  skillPlace,
} from '../schema/bundle/skill.ts';
import type { SkillSource } from '../schema/source/sources.ts';
import { sha256 } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';
import { sectionEnds } from './section-ends.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The facts with the files of their skills, and the bytes of those that the garden carries, by their paths in it. */
export function carrySkills(
  unitFacts: readonly UnitFacts[],
  { blob, countTokens }: Pick<CompileContext, 'blob' | 'countTokens'>,
): { unitFacts: readonly UnitFacts[]; files: ReadonlyMap<string, Buffer> } {
  const files = new Map<string, Buffer>();
  let room = MAX_SKILLS_BYTES;
  const carry = ({ folder, description, files: all }: SkillSource, content: string): Skill => {
    const listed = all.map(({ path, blob: id, size }): SkillFile => {
      const bytes = size <= Math.min(room, MAX_SKILL_FILE_BYTES) ? blob(id) : undefined;
      if (!bytes) return { path, bytes: size, blob: id };
      room -= bytes.length;
      files.set(skillPlace(folder, path), bytes);
      return { path, bytes: bytes.length, digest: sha256(bytes), blob: id };
    });
    return { folder, description, files: listed, sections: sectionEnds(content, countTokens) };
  };
  const carried = unitFacts.map((it) => {
    const { skill } = it.unit;
    return skill ? { ...it, fact: { ...it.fact, skill: carry(skill, it.fact.content) } } : it;
  });
  return { unitFacts: carried, files };
}
