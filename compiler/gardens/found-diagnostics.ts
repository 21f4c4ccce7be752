import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';

/** Collects the diagnostics of all steps of a run, so that authors see all of them at once. */
export class FoundDiagnostics {
  readonly #all: Diagnostic[] = [];

  add(found: readonly Diagnostic[]): void {
    this.#all.push(...found);
  }

  /** Keeps the diagnostics of a step, and returns its result. */
  take<T extends { readonly faults: readonly Diagnostic[] }>(step: T): T {
    this.add(step.faults);
    return step;
  }

  hasErrors(): boolean {
    return this.#all.some((it) => it.severity === 'error');
  }

  /** All but these. */
  without(others: readonly Diagnostic[]): Diagnostic[] {
    const left = new Set(others);
    return sortDiagnostics(this.#all.filter((it) => !left.has(it)));
  }

  sorted(): Diagnostic[] {
    return sortDiagnostics(this.#all);
  }
}
