import { REACT } from './list.mjs';

/** @typedef {import('./list.mjs').Consumer} Consumer */

const PAGE = ['shared', 'page', 'alias/shared'];
const PROGRAM = ['shared', 'alias/shared'];
/** A library that calls snarkjs, and asks npm for it. */
const LIBRARY = { 'note-library': 'file:library' };
/** A package that takes the place of snarkjs, for tools that have no alias. */
const STAND_IN = { ...LIBRARY, snarkjs: 'file:stand-in' };

/**
 * Applications with a library that calls snarkjs, and Pippin in the place of snarkjs.
 *
 * @type {readonly Consumer[]}
 */
export const ALIAS_CONSUMERS = [
  ...viteOf('8', '8.3.8', 'alias/vite'),
  ...viteOf('7', '7.3.8', 'alias/vite-7'),
  {
    ...page('webpack', 'webpack', ['alias/webpack']),
    packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1' },
    build: ['webpack'],
  },
  {
    ...page('rollup', 'Rollup', ['alias/rollup']),
    packages: { rollup: '4.68.7', '@rollup/plugin-node-resolve': '16.0.3', '@rollup/plugin-alias': '6.0.1' },
    build: ['rollup', '-c'],
  },
  { ...page('esbuild', 'esbuild', ['alias/esbuild']), packages: { esbuild: '0.28.2' }, build: ['node', 'build.js'] },
  {
    ...page('parcel', 'Parcel', ['parcel', 'alias/parcel']),
    packages: { parcel: '2.16.4' },
    build: ['node', 'build.js'],
  },
  {
    ...page('bun-bundler', "Bun's bundler", ['bun-bundler', 'alias/stand-in']),
    packages: { bun: '1.4.5' },
    local: STAND_IN,
    build: ['bun', 'build.js'],
  },
  { ...page('import-map', 'import map, no bundler', ['alias/import-map']), output: '.' },
  ...nextOf('turbopack', 'Turbopack', 'alias/next'),
  ...nextOf('webpack', 'webpack', 'alias/next-webpack'),
  program('node', 'Node, import', ['node'], ['node', 'main.js']),
  program('node-require', 'Node, require', ['alias/node-require'], ['node', 'main.cjs']),
  { ...program('deno', 'Deno', ['node'], ['deno', 'run', '-A', 'main.js']), packages: { deno: '2.9.6' } },
  { ...program('bun', 'Bun', ['node'], ['bun', 'main.js']), packages: { bun: '1.4.5' } },
  { ...program('jest', 'Jest', ['alias/jest'], ['node', 'run.js']), packages: { jest: '29.7.0' } },
  {
    ...program('vitest', 'Vitest', [], ['node', 'run.js']),
    packages: { vitest: '4.1.12' },
    folders: [...PROGRAM, 'alias/vitest'],
    local: LIBRARY,
  },
  {
    ...program('circomkit', 'circomkit', ['alias/circomkit'], ['node', 'main.js']),
    name: 'circomkit',
    // The others compile its circuit, and compile and run its contract.
    packages: { circomkit: '0.3.4', circom2: '0.2.23', solc: '0.8.37', '@ethereumjs/evm': '10.1.3' },
    start: true,
  },
];

/**
 * @param {string} name
 * @param {string} tool
 * @param {readonly string[]} folders
 * @returns {Consumer}
 */
function page(name, tool, folders) {
  return { name: `alias-${name}`, tool, packages: {}, folders: [...PAGE, ...folders], local: LIBRARY, output: 'dist' };
}

/**
 * @param {string} name
 * @param {string} tool
 * @param {readonly string[]} folders
 * @param {readonly string[]} command
 * @returns {Consumer}
 */
function program(name, tool, folders, command) {
  const sources = [...PROGRAM, ...folders, 'alias/stand-in'];
  return { name: `alias-${name}`, tool, packages: {}, folders: sources, local: STAND_IN, program: command };
}

/**
 * @param {string} major
 * @param {string} version
 * @param {string} folder
 * @returns {Consumer[]}
 */
function viteOf(major, version, folder) {
  const shared = { ...page(`vite-${major}`, 'Vite, build', [folder]), packages: { vite: version } };
  return [
    { ...shared, build: ['vite', 'build'] },
    {
      ...shared,
      name: `${shared.name}-dev`,
      tool: 'Vite, dev',
      output: undefined,
      server: ['vite', '--strictPort', '--port'],
    },
  ];
}

/**
 * @param {string} bundler
 * @param {string} title
 * @param {string} folder
 * @returns {Consumer[]}
 */
function nextOf(bundler, title, folder) {
  const shared = {
    ...page(`next-${bundler}`, `Next.js, ${title}: client component`, ['next', folder]),
    packages: { next: '16.4.6', ...REACT },
    build: ['next', 'build', `--${bundler}`],
    output: undefined,
    server: ['next', 'start', '--port'],
  };
  return [
    shared,
    { ...shared, name: `${shared.name}-route`, tool: `Next.js, ${title}: route handler`, route: '/api/spend' },
  ];
}
