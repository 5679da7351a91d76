/**
 * An application that installs Pippin with a tool of a pinned version.
 *
 * @typedef {object} Consumer
 * @property {string} name by which `--only` chooses it
 * @property {string} tool as the table names it
 * @property {Record<string, string>} packages what its package.json asks for beside Pippin; the first is the tool,
 * whose version the table tells
 * @property {Record<string, string>} [local] packages that lie in its own folders, such as one that takes the place of
 * snarkjs
 * @property {readonly string[]} folders of tests/consumers that make its sources; later ones replace files of earlier
 * ones
 * @property {string} [template] the folder of examples/templates that it is a copy of; its package.json asks for the
 * same packages. A click begins the proof
 * @property {boolean} [extension] whether what is built is a browser's extension, whose page is popup.html
 * @property {readonly string[]} [build] the command that builds it, of a package or of Node
 * @property {string} [output] the folder that is served then
 * @property {readonly string[]} [server] the command that serves it, for a tool with a server of its own; the port
 * follows
 * @property {string} [route] the address at which that server proves; otherwise its page does
 * @property {readonly string[]} [program] the command that proves by itself, and prints what it has proved
 * @property {boolean} [cdn] whether its page loads Pippin from another origin, which stands in it as
 * `https://cdn.example/`
 * @property {'chromium' | 'firefox'} [browser] in which its page is opened; Chromium by default
 */

/** Programs that fetch fonts or tell their makers of their use are told not to. */
export const QUIET = { NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1', CI: '1' };

const PAGE = ['shared', 'page'];
const SERVER = ['shared', 'node'];
const VITE = { vite: '8.3.8' };
export const REACT = { react: '19.3.1', 'react-dom': '19.3.1' };

/**
 * Copies of the templates, as a stranger makes them.
 *
 * @type {readonly Consumer[]}
 */
const TEMPLATES = [
  template('page', 'Template: page', {
    packages: VITE,
    build: ['vite', 'build'],
    output: 'dist',
    template: 'page-vite',
  }),
  template('react', 'Template: React', {
    packages: { ...VITE, '@vitejs/plugin-react': '6.3.0', ...REACT },
    build: ['vite', 'build'],
    output: 'dist',
  }),
  template('nextjs', 'Template: Next.js', {
    packages: { next: '16.4.6', ...REACT },
    build: ['next', 'build'],
    server: ['next', 'start', '--port'],
  }),
  template('extension', 'Template: extension', {
    packages: VITE,
    build: ['vite', 'build'],
    output: 'dist',
    extension: true,
  }),
];

/** @type {readonly Consumer[]} */
export const CONSUMERS = [
  ...TEMPLATES,
  ...Object.entries({ 8: '8.3.8', 7: '7.3.8', 6: '6.4.6', 5: '5.4.21' }).flatMap(([major, version]) =>
    viteOf(major, version),
  ),
  {
    name: 'vite-8-es',
    tool: "Vite, build, workers of format 'es'",
    packages: { vite: '8.3.8' },
    folders: [...PAGE, 'vite-7'],
    build: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'vite-8-folder',
    tool: 'Vite, build, a folder of its own',
    packages: { vite: '8.3.8' },
    folders: [...PAGE, 'vite-8-folder'],
    build: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'vue',
    tool: 'Vue (Vite 8)',
    packages: { vue: '3.5.45', '@vitejs/plugin-vue': '6.0.11', vite: '8.3.8' },
    folders: ['guide', 'vue'],
    build: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'svelte',
    tool: 'Svelte (Vite 8)',
    packages: { svelte: '5.57.3', '@sveltejs/vite-plugin-svelte': '7.3.1', vite: '8.3.8' },
    folders: ['guide', 'svelte'],
    build: ['vite', 'build'],
    output: 'dist',
  },
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
    name: 'next-guide',
    tool: 'Next.js, Turbopack: page of the guide',
    packages: { next: '16.4.6', ...REACT },
    folders: ['guide', 'next-guide'],
    build: ['next', 'build', '--turbopack'],
    server: ['next', 'start', '--port'],
  },
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
  { name: 'node', tool: 'Node, import', packages: {}, folders: SERVER, program: ['node', 'main.js'], start: true },
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
 * @param {string} name
 * @param {string} tool
 * @param {Omit<Consumer, 'name' | 'tool' | 'folders'>} rest
 * @returns {Consumer}
 */
function template(name, tool, rest) {
  return { name: `template-${name}`, tool, folders: [], template: name, start: true, ...rest };
}

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
