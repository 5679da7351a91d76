/**
 * An application that installs Pippin with a tool of a pinned version.
 *
 * @typedef {object} Consumer
 * @property {string} name by which `--only` chooses it
 * @property {string} tool as the table names it
 * @property {Record<string, string>} packages what its package.json asks for beside Pippin; the first is the tool, whose version the table tells
 * @property {Record<string, string>} [local] packages that lie in its own folders, such as one that takes the place of snarkjs
 * @property {readonly string[]} folders of tests/consumers that make its sources; later ones replace files of earlier ones
 * @property {readonly string[]} [build] the command that builds it, of a package or of Node
 * @property {string} [output] the folder that is served then
 * @property {readonly string[]} [server] the command that serves it, for a tool with a server of its own; the port follows
 * @property {string} [route] the address at which that server proves; otherwise its page does
 * @property {readonly string[]} [program] the command that proves by itself, and prints what it has proved
 * @property {boolean} [cdn] whether its page loads Pippin from another origin, which stands in it as `https://cdn.example/`
 * @property {'chromium' | 'firefox'} [browser] in which its page is opened; Chromium by default
 */

/** Programs that fetch fonts or tell their makers of their use are told not to. */
export const QUIET = { NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1', CI: '1' };

const PAGE = ['shared', 'page'];
const SERVER = ['shared', 'node'];
export const REACT = { react: '19.3.1', 'react-dom': '19.3.1' };

/** @type {readonly Consumer[]} */
export const CONSUMERS = [
  ...Object.entries({ 8: '8.3.8', 7: '7.3.8', 6: '6.4.6', 5: '5.4.21' }).flatMap(([major, version]) =>
    viteOf(major, version),
  ),
  {
    name: 'webpack',
    tool: 'webpack',
    packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1' },
    folders: [...PAGE, 'webpack'],
    build: ['webpack'],
    output: 'dist',
  },
  {
    name: 'rollup',
    tool: 'Rollup',
    packages: { rollup: '4.68.7', '@rollup/plugin-node-resolve': '16.0.3' },
    folders: [...PAGE, 'rollup'],
    build: ['rollup', '-c'],
    output: 'dist',
  },
  {
    name: 'esbuild',
    tool: 'esbuild',
    packages: { esbuild: '0.28.2' },
    folders: [...PAGE, 'esbuild'],
    build: ['node', 'build.js'],
    output: 'dist',
  },
  {
    name: 'parcel',
    tool: 'Parcel',
    packages: { parcel: '2.16.4' },
    folders: [...PAGE, 'parcel'],
    build: ['node', 'build.js'],
    output: 'dist',
  },
  {
    name: 'bun-bundler',
    tool: "Bun's bundler",
    packages: { bun: '1.4.5' },
    folders: [...PAGE, 'bun-bundler'],
    build: ['bun', 'build.js'],
    output: 'dist',
  },
  {
    name: 'import-map',
    tool: 'import map, no bundler',
    packages: {},
    folders: [...PAGE, 'import-map'],
    output: '.',
  },
  {
    name: 'cdn',
    tool: 'CDN, no bundler',
    packages: {},
    folders: [...PAGE, 'cdn'],
    output: '.',
    cdn: true,
  },
  ...[
    ['turbopack', 'Turbopack', '--turbopack'],
    ['webpack', 'webpack', '--webpack'],
  ].flatMap(([bundler, title, flag]) => nextOf(bundler, title, flag)),
  {
    name: 'lockdown',
    tool: 'SES, lockdown() (page of Vite 8)',
    packages: { ses: '2.3.0', vite: '8.3.8' },
    folders: [...PAGE, 'lockdown'],
    build: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'firefox',
    tool: 'Firefox ESR (page of Vite 8)',
    packages: { vite: '8.3.8' },
    folders: PAGE,
    build: ['vite', 'build'],
    output: 'dist',
    browser: 'firefox',
  },
  { name: 'node', tool: 'Node, import', packages: {}, folders: SERVER, program: ['node', 'main.js'] },
  {
    name: 'node-require',
    tool: 'Node, require',
    packages: {},
    folders: ['node-require'],
    program: ['node', 'main.cjs'],
  },
  {
    name: 'deno',
    tool: 'Deno',
    packages: { deno: '2.9.6' },
    folders: SERVER,
    program: ['deno', 'run', '-A', 'main.js'],
  },
  { name: 'bun', tool: 'Bun', packages: { bun: '1.4.5' }, folders: SERVER, program: ['bun', 'main.js'] },
];

/**
 * @param {string} major
 * @param {string} version
 * @returns {Consumer[]}
 */
function viteOf(major, version) {
  const packages = { vite: version };
  const folders = Number(major) < 8 ? [...PAGE, 'vite-7'] : PAGE;
  return [
    { name: `vite-${major}`, tool: 'Vite, build', packages, folders, build: ['vite', 'build'], output: 'dist' },
    {
      name: `vite-${major}-dev`,
      tool: 'Vite, dev',
      packages,
      folders: PAGE,
      server: ['vite', '--strictPort', '--port'],
    },
  ];
}

/**
 * @param {string} bundler
 * @param {string} title
 * @param {string} flag
 * @returns {Consumer[]}
 */
function nextOf(bundler, title, flag) {
  const shared = {
    packages: { next: '16.4.6', ...REACT },
    folders: ['shared', 'next'],
    build: ['next', 'build', flag],
    server: ['next', 'start', '--port'],
  };
  return [
    { ...shared, name: `next-${bundler}`, tool: `Next.js, ${title}: client component` },
    { ...shared, name: `next-${bundler}-route`, tool: `Next.js, ${title}: route handler`, route: '/api/spend' },
    {
      ...shared,
      name: `next-${bundler}-standalone`,
      tool: `Next.js, ${title}: route handler, standalone`,
      folders: [...shared.folders, 'next-standalone'],
      server: ['node', 'serve.js'],
      route: '/api/spend',
    },
  ];
}
