import plugin from '@typescript-eslint/eslint-plugin';
import parser from '@typescript-eslint/parser';

/**
 * `npm run lint` checks the AssemblyScript of wasm/ with ESLint, and everything else with Biome, which does not parse decorators on
 * functions. The compiler finds wrong types; these rules find what it accepts without a word: names that nothing uses, and code that
 * would allocate.
 */

/** The modules use the runtime `stub`, which never frees memory: functions work on addresses, and nothing may be allocated. */
const ALLOCATIONS = [
  { selector: 'NewExpression', message: 'expected functions on addresses: an object is never freed' },
  { selector: 'ObjectExpression', message: 'expected functions on addresses: an object is never freed' },
  {
    // Constants of `memory.data([...])` lie in the module's data and are not allocated.
    selector: 'ArrayExpression:not(CallExpression[callee.object.name="memory"] > ArrayExpression)',
    message: 'expected `memory.data` or an address: an array is never freed',
  },
  { selector: 'TemplateLiteral', message: 'expected no strings: they are never freed' },
  // `the<T>()` in wasm/field/field.ts gives the null address as the instance, so a field would lie at address 0 and above.
  {
    selector: 'PropertyDefinition[static=false]',
    message: 'expected methods only: no instance exists to hold a field',
  },
];

export default [
  { ignores: ['**/generated/**'] },
  {
    files: ['wasm/**/*.ts'],
    // Decorators such as @inline stand on functions and on classes without a runtime form, which TypeScript does not allow.
    languageOptions: { parser, parserOptions: { allowInvalidAST: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@typescript-eslint': plugin },
    rules: {
      // Not of parameters: classes that stand in for each other as a generic argument have the same ones.
      '@typescript-eslint/no-unused-vars': ['error', { args: 'none' }],
      '@typescript-eslint/explicit-function-return-type': 'error',
      'no-duplicate-imports': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-fallthrough': 'error',
      'no-unreachable': 'error',
      'no-constant-condition': 'error',
      'no-dupe-else-if': 'error',
      'no-dupe-class-members': 'error',
      'no-else-return': 'error',
      'no-empty': 'error',
      'no-self-assign': 'error',
      'no-self-compare': 'error',
      'no-useless-assignment': 'error',
      'no-useless-return': 'error',
      'no-warning-comments': 'error',
      'no-restricted-syntax': ['error', ...ALLOCATIONS],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'typeLike', format: ['PascalCase'] },
        { selector: ['function', 'classMethod', 'parameter'], format: ['camelCase'] },
        { selector: 'variable', format: ['camelCase', 'UPPER_CASE'] },
      ],
    },
  },
  {
    // The exports of a module carry the name of their part: `g1_prepare`, `ntt_shiftToCoset`.
    files: ['wasm/modules/**/*.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' },
  },
];
