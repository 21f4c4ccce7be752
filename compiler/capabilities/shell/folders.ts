import { posix } from 'node:path';
import { HOLE, QUOTED_HOLE, type Field } from './words/field.ts';
import { MAX_ALTERNATIVES } from './words/limits.ts';

/** Folder of a shell, and the stack of `pushd`, the newest last. */
interface Position {
  readonly here: readonly Field[];
  readonly stack: readonly (readonly Field[])[];
}

/** The folders that a command is in while it runs, as far as its `cd`, `pushd` and `popd` tell. */
export class Folders {
  private readonly start: Field;
  private readonly home: string;
  private at: Position;
  private readonly everywhere = new Set<Field>();
  /** Those that it enters outside of its functions: these would go on from where they led with every pass. */
  private readonly outside = new Set<Field>();
  private isInFunction = false;
  /** Whether a call of a function may leave the command in another folder. */
  functionsMove = false;

  constructor(start: string, home: string) {
    this.start = start;
    this.home = home;
    this.at = { here: [start], stack: [] };
    this.everywhere.add(start);
    this.outside.add(start);
  }

  /** Folder of the command, if every `cd` before succeeds. */
  get here(): readonly Field[] {
    return this.at.here;
  }

  /** Every folder that it may ever be in. */
  get all(): readonly Field[] {
    return [...this.everywhere];
  }

  /** Starts another pass where the command starts. */
  restart(): void {
    this.at = { here: [this.start], stack: [] };
  }

  /** Does work in a shell of its own, whose `cd` the outer one does not follow. */
  apart(work: () => void): void {
    const before = this.at;
    work();
    this.at = before;
  }

  /** Does one of several works, of which only the shell knows which. */
  oneOf(works: readonly (() => void)[]): void {
    const [only, ...others] = works;
    if (others.length === 0) {
      only?.();
      return;
    }
    const before = this.at;
    const ends = works.map((work) => {
      this.at = before;
      work();
      return this.at;
    });
    this.at = ends.reduce(either);
  }

  /** Does work any number of times: if it leaves another folder than it began in, the next time begins there. */
  repeatedly(work: () => void): void {
    const before = this.at;
    work();
    if (isSame(before, this.at)) return;
    this.lose();
    work();
    this.at = either(before, { here: [HOLE], stack: [] });
  }

  /**
   * Reads the body of a function, which may be called anywhere.
   *
   * @param isAlone whether there is no other function that could call it
   * @returns whether it is now known that a call moves
   */
  inFunction(work: () => void, isAlone: boolean): boolean {
    const unknown = this.functionsMove && !isAlone ? [HOLE] : [];
    const before: Position = { here: [...this.outside, ...unknown], stack: [] };
    this.at = before;
    this.isInFunction = true;
    work();
    this.isInFunction = false;
    const isNew = !this.functionsMove && !isSame(before, this.at);
    this.functionsMove ||= isNew;
    return isNew;
  }

  enter(folder: Field): void {
    this.at = { ...this.at, here: this.leadingTo(folder) };
    this.note(this.outside);
    this.note(this.everywhere);
  }

  /** `pushd folder`; with `-n` it stays where it is. */
  push(folder: Field, isStaying: boolean): void {
    const { here, stack } = this.at;
    if (isStaying) {
      this.at = { here, stack: [...stack, this.leadingTo(folder)] };
      return;
    }
    this.enter(folder);
    this.at = { here: this.here, stack: [...stack, here] };
  }

  /** `popd`; nobody knows where one leads whose `pushd` is not in the command. */
  pop(): void {
    const top = this.at.stack.at(-1);
    if (top === undefined) this.lose();
    else this.at = { here: top, stack: this.at.stack.slice(0, -1) };
  }

  /** From here on it may be anywhere. */
  lose(): void {
    this.at = { here: [...new Set([...this.here, HOLE])], stack: [] };
  }

  private leadingTo(folder: Field): Field[] {
    const target = folder === '' ? this.home : folder;
    if (target.startsWith('/')) return [posix.resolve(target)];
    const isClear = !target.includes(HOLE) && !target.includes(QUOTED_HOLE);
    return [...new Set(this.here.map((it) => (isClear && it !== HOLE ? posix.resolve(it, target) : HOLE)))];
  }

  private note(folders: Set<Field>): void {
    if (folders === this.outside && this.isInFunction) return;
    if (folders.size <= MAX_ALTERNATIVES) for (const it of this.here) folders.add(it);
  }
}

/** One position or the other. */
function either(one: Position, other: Position): Position {
  const here = [...new Set([...one.here, ...other.here])];
  if (one.stack.length !== other.stack.length) return { here, stack: [] };
  return { here, stack: one.stack.map((it, at) => [...new Set([...it, ...(other.stack[at] ?? [])])]) };
}

function isSame(one: Position, other: Position): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
