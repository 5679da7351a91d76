/**
 * Which chunk of a page's scripts a module goes to. Without it a bundler makes a chunk for every set of entries that share something: dozens of
 * small files, which gzip compresses each for itself, worse by a tenth. The sets here are those of the threads of a proof alone, so that each
 * thread loads few files, and hardly anything that it does not need.
 *
 * @param {{ page: string, others: readonly string[], workers: readonly string[], gpu: string }} scripts the modules, by their paths: which a page
 *   imports for proofs, which it may import besides, which its workers start with, and which the coordinator loads where there is WebGPU
 * @returns {import('rolldown').CodeSplittingOptions}
 */
export function pageChunks({ page, others, workers, gpu }) {
  /** The modules that a script needs, for each script. @type {Map<string, Set<string>>} */
  const needed = new Map();
  /** @param {string} script @param {string} module @param {import('rolldown').ChunkingContext} context */
  const needs = (script, module, context) => {
    let modules = needed.get(script);
    if (modules === undefined) {
      modules = modulesOf(script, context);
      needed.set(script, modules);
    }
    return modules.has(module);
  };
  /** @type {(module: string, context: import('rolldown').ChunkingContext) => string | undefined} */
  const nameOf = (module, context) => {
    const users = workers.filter((worker) => needs(worker, module, context));
    if (needs(page, module, context)) return users.length > 0 ? 'shared' : 'page';
    if (users.length > 0 && others.some((entry) => needs(entry, module, context))) return 'files';
    if (users.length > 1) return 'workers';
    if (users.length === 1) return nameOfScript(/** @type {string} */ (users[0]));
    return needs(gpu, module, context) ? 'gpu' : undefined;
  };
  // A group takes what its modules import as well, unless a group before it has taken that.
  const names = ['shared', 'files', 'workers', ...workers.map(nameOfScript), 'page', 'gpu'];
  const groups = names.map((name, i) => ({
    name: (/** @type {string} */ module, /** @type {import('rolldown').ChunkingContext} */ context) =>
      nameOf(module, context) === name ? name : null,
    debugName: name,
    priority: names.length - i,
  }));
  return { groups: [...groups, { name: shadersOf, debugName: 'shaders' }] };
}

/** @param {string} script @param {import('rolldown').ChunkingContext} context */
function modulesOf(script, context) {
  const modules = new Set([script]);
  // A set gives what is added while it is gone through, too.
  for (const module of modules) for (const each of context.getModuleInfo(module)?.importedIds ?? []) modules.add(each);
  return modules;
}

/** The name of a script, without its folder and ending. @param {string} path */
function nameOfScript(path) {
  return path.replace(/^.*[\\/]/, '').replace(/\.ts$/, '');
}

/**
 * The fields of a curve that a proof on a GPU needs are fetched together, and those for devices that multiply bytes fast beside them.
 *
 * @param {string} module
 */
function shadersOf(module) {
  const [, curve, bytes] = /[\\/]generated[\\/]([\w-]+)-(?:fq|fq2|fr)(-bytes)?\.wgsl$/.exec(module) ?? [];
  return curve === undefined ? null : `${curve}${bytes ?? ''}-shaders`;
}
