import { existsSync } from 'node:fs';

/**
 * Which chunk of a page's scripts a module goes to. Left alone, a bundler makes a chunk for every set of entries that
 * share something: dozens of small files, and gzip, which compresses each by itself, takes a tenth more for them. Here
 * modules are parted by the threads of a proof alone, so that each thread loads few files, and hardly anything that it
 * does not need. The entries themselves stay out of the chunks: a worker begins its work when its entry is run, and
 * chunks are loaded by other scripts as well.
 *
 * @param {Scripts} scripts
 * @returns {import('rolldown').CodeSplittingOptions}
 */
export function pageChunks({ page, bridges, readers, workers, later, spare }) {
  const entries = [page, ...bridges, ...readers, ...workers.map(({ script }) => script)];
  const afterStart = [...later, ...spare.scripts.map((script) => ({ ...spare, script }))];
  const all = [...workers, ...afterStart];
  const scripts = all.map(({ script }) => script);
  /** Whether a script has what another needs as soon as it has loaded that one itself. */
  const loads = (/** @type {string} */ user, /** @type {string} */ each) =>
    each === user || afterStart.some(({ script, by }) => script === each && by === user);
  const chunkOf = (/** @type {string} */ user) =>
    all.find(({ script }) => script === user)?.chunk ?? nameOfScript(user);
  const needs = modulesByScript();
  /** @type {(module: string, context: Context) => string | undefined} */
  const nameOf = (module, context) => {
    if (entries.includes(module)) return undefined;
    if (module === RUNTIME) return 'shared';
    const users = scripts.filter((script) => needs(script, module, context));
    const [user] = users;
    const bridgeUsers = bridges.filter((bridge) => needs(bridge, module, context));
    if (user === undefined) {
      if (needs(page, module, context)) return 'page';
      // A page that proves for itself keeps no session.
      return bridgeUsers.length > 1 ? 'session' : undefined;
    }
    if (users.every((each) => spare.scripts.includes(each))) return chunkOf(user);
    if (needs(page, module, context) || bridgeUsers.length > 0) return 'shared';
    if (readers.some((entry) => needs(entry, module, context))) return 'workers';
    return users.every((each) => loads(user, each)) ? chunkOf(user) : 'workers';
  };
  const names = [...new Set(['shared', 'workers', ...scripts.map(chunkOf), 'page', 'session'])];
  const priority = SHARED_GROUPS.length;
  const groups = names.map((name, i) => groupOf(name, nameOf, priority + names.length - i));
  return { groups: [...groups, ...SHARED_GROUPS, { name: shadersOf, debugName: 'shaders' }] };
}

/**
 * Two chunks for Node, which reads files from a disk: what several entries import, the engine among it, and what is
 * loaded later. The scripts of engines take them too, and stay out of them.
 *
 * @param {readonly string[]} entries
 * @param {readonly string[]} engines
 * @returns {import('rolldown').CodeSplittingOptions}
 */
export function nodeChunks(entries, engines) {
  const needs = modulesByScript();
  /** @type {(module: string, context: Context) => string | null} */
  const nameOf = (module, context) => {
    if (engines.includes(module)) return null;
    if (module === RUNTIME) return 'node';
    const users = entries.filter((entry) => needs(entry, module, context)).length;
    if (users === 0) return 'node-later';
    return users === 1 ? null : 'node';
  };
  return { groups: ['node', 'node-later'].map((name, i) => groupOf(name, nameOf, 2 - i)) };
}

/**
 * A group takes what its modules import as well, unless a group before it has taken that.
 *
 * @param {string} name
 * @param {(module: string, context: Context) => string | null | undefined} nameOf
 * @param {number} priority
 */
function groupOf(name, nameOf, priority) {
  return {
    name: (/** @type {string} */ module, /** @type {Context} */ context) =>
      nameOf(module, context) === name ? name : null,
    debugName: name,
    priority,
  };
}

/** The bundler's own module. */
const RUNTIME = '\0rolldown/runtime.js';

/** @typedef {import('rolldown').ChunkingContext} Context */

/**
 * Modules by their paths.
 *
 * @typedef {object} Scripts
 * @property {string} page what a page imports for proofs
 * @property {readonly string[]} bridges what pages import to prove for others, or have others prove
 * @property {readonly string[]} readers what a page may import besides, which reads files of snarkjs
 * @property {readonly Script[]} workers what the coordinator and the other workers start with
 * @property {readonly (Script & { by: string })[]} later what one of the workers loads later, after all that it starts
 * with
 * @property {{ scripts: readonly string[], by: string, chunk: string }} spare what one of them loads in the background,
 * as one chunk
 */

/**
 * A script, and the name of its chunk where that is not its own.
 *
 * @typedef {{ script: string, chunk?: string }} Script
 */

/**
 * Tells whether a script needs a module, by its statements. @returns {(script: string, module: string, context:
 * Context) => boolean}
 */
function modulesByScript() {
  /** @type {Map<string, Set<string>>} */
  const known = new Map();
  return (script, module, context) => {
    let modules = known.get(script);
    if (modules === undefined) {
      modules = new Set([script]);
      // A set gives what is added while it is gone through, too.
      for (const each of modules)
        for (const imported of context.getModuleInfo(each)?.importedIds ?? []) modules.add(imported);
      known.set(script, modules);
    }
    return modules.has(module);
  };
}

/** The name of a script, without its folder and ending. @param {string} path */
function nameOfScript(path) {
  return path.replace(/^.*[\\/]/, '').replace(/\.ts$/, '');
}

/**
 * The fields of a curve that a proof on a GPU needs are fetched together, and those for devices that multiply bytes
 * fast beside them. Of a curve without a scalar field on the GPU all are one script: bytes alone would be 1 to 2 kB.
 *
 * @param {string} module
 */
function shadersOf(module) {
  const [, stem, curve, bytes = ''] =
    /^(.*[\\/]generated[\\/]([\w-]+))-(?:fq|fq2|fr)(-bytes)?\.wgsl$/.exec(module) ?? [];
  if (curve === undefined) return null;
  return existsSync(`${stem}-fr.wgsl`) ? `${curve}${bytes}-shaders` : `${curve}-shaders`;
}

/**
 * What PLONK and FFLONK share with others are many small modules: about polynomials, which KZG and the kernels take, and
 * the readers of their keys and JSON, which the entries for files take. A prover that unpacks a key loads one file for
 * it, part of which packing takes, too.
 */
const SHARED_GROUPS = [
  { name: 'polynomials', test: /[\\/]sdk[\\/]polynomials[\\/](domain|polynomials)\.ts$/, priority: 2 },
  { name: 'plonk-files', test: /[\\/]snarkjs[\\/](plonk|fflonk)-[\w-]+\.ts$/, priority: 1 },
  {
    name: 'key-forms',
    test: /[\\/](engine[\\/]sources[\\/]key-forms|workers[\\/]pool[\\/]unpacking-kernels)\.ts$/,
    priority: 0,
  },
];
