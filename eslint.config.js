import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'var/', 'coverage/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A union of literals with a `type` alias reads like the tables it comes from.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // Ports are asynchronous even where one engine answers at once.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-duplicate-imports': ['error', { includeExports: false, allowSeparateTypeImports: false }],
    },
  },
  {
    files: ['scripts/**', 'src/cli/**', 'src/demo/**', 'test/**'],
    rules: { 'no-console': 'off' },
  },
);
