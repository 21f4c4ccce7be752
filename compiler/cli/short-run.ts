import { setFlagsFromString } from 'node:v8';

/** Six times as many calls before a function is optimised, and a third of what is copied into it then. */
const FLAGS = ['--interrupt-budget=400000', '--max-inlined-bytecode-size-cumulative=300'];

/**
 * Flags with which V8 optimises less, for a program that ends soon. It optimises as if a program ran for hours, in threads of
 * its own, which take the processors from those that compile: a fifth of the time of two processors. With these flags a cold
 * compile of 2,000 units takes 10 % less time, and one of a small handbook 19 % less processor time. Later versions of V8
 * decide by another count and lack the first flag; `vade lint` gains nothing there (Node 24). None is returned for them.
 *
 * @param v8 the version of the engine
 */
export function shortRunFlags(v8: string): readonly string[] {
  return v8.startsWith('11.') ? FLAGS : [];
}

/** Lets V8 optimise less from now on. @param v8 the version of the engine */
export function optimiseLess(v8: string): void {
  for (const it of shortRunFlags(v8)) setFlagsFromString(it);
}
