import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';

/** Everything that the steps of a run find wrong: authors are told all of it at once. */
export class FoundDiagnostics {
  readonly #all: Diagnostic[] = [];

  add(found: readonly Diagnostic[]): void {
    this.#all.push(...found);
  }

  /** Keeps what a step found, and hands on what it made. */
  take<T extends { readonly faults: readonly Diagnostic[] }>(step: T): T {
    this.add(step.faults);
    return step;
  }

  hasErrors(): boolean {
    return this.#all.some((it) => it.severity === 'error');
  }

  sorted(): Diagnostic[] {
    return sortDiagnostics(this.#all);
  }
}
