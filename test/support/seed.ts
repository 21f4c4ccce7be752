import fc from 'fast-check';

/** The same cases in every run: a property that fails, fails for everybody. `VADE_SEED` tries others. */
fc.configureGlobal({ seed: Number(process.env['VADE_SEED'] ?? 20_261_121) });
