import { basename } from 'node:path';
import perfectionist from 'eslint-plugin-perfectionist';
import tseslint from 'typescript-eslint';

/** A file is named in kebab-case for what it exports. */
const kebabCase = {
  create: (context) => ({
    Program(node) {
      const name = basename(context.filename);
      if (/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name)) return;
      context.report({ node, message: `name ${name} in kebab-case` });
    },
  }),
};

/** Node's own modules, packages, then our files: from far to near, by path, without blank lines. */
const importOrder = {
  groups: ['builtin', 'external', ['parent', 'sibling', 'index']],
  newlinesBetween: 0,
};

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'bundle/', '.vade/'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'compiler/present/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { vade: { rules: { 'kebab-case': kebabCase } } },
    rules: {
      'vade/kebab-case': 'error',
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_$', argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { perfectionist },
    rules: { 'perfectionist/sort-imports': ['error', importOrder] },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
