import { SetupError } from '../lib/run.mjs';

/**
 * A package whose code is in what Pippin publishes, or is installed with it.
 *
 * @typedef {object} ShippedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} integrity of its archive, as the lock file has it: `sha512-`, then base64
 * @property {string[]} dependencies the names of those that it needs
 */

/**
 * An entry of the lock file.
 *
 * @typedef {{ version?: string, license?: string, integrity?: string, dependencies?: Record<string, string>, hasInstallScript?: boolean }} LockEntry
 */

/** The library functions that AssemblyScript compiles into the WASM, such as `bswap`, are under its licence. */
const COMPILED_INTO_WASM = 'assemblyscript';

/** Licences that ask for no more than that they are passed on. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT OR Apache-2.0'];

/** Scripts that npm runs on the machine of whoever installs the package. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];

/**
 * The packages that ship with Pippin, by name: what the bundles hold, the run-time dependencies with theirs, and what is compiled into the
 * WASM. Fails unless the licence of each is permissive, and none of those that are installed with Pippin runs a script then.
 *
 * @param {Iterable<string>} modules the files that were bundled
 * @param {{ dependencies?: Record<string, string>, scripts?: Record<string, string> }} manifest package.json
 * @param {{ packages: Record<string, LockEntry> }} lock package-lock.json
 * @returns {ShippedPackage[]}
 */
export function shippedPackages(modules, manifest, lock) {
  const entry = (/** @type {string} */ name) => {
    const found = lock.packages[`node_modules/${name}`];
    if (found === undefined) throw new SetupError(`expected ${name} in package-lock.json: it ships with the package`);
    return found;
  };

  const installed = new Set(Object.keys(manifest.dependencies ?? {}));
  // A set gives what is added while it is gone through, too.
  for (const name of installed) for (const needed of Object.keys(entry(name).dependencies ?? {})) installed.add(needed);
  const scripts = INSTALL_SCRIPTS.filter((name) => manifest.scripts?.[name] !== undefined);
  if (scripts.length > 0)
    throw new SetupError(`expected no install scripts in package.json, got ${scripts.join(', ')}`);
  const withScripts = [...installed].filter((name) => entry(name).hasInstallScript);
  if (withScripts.length > 0) {
    throw new SetupError(`expected run-time dependencies without install scripts, got ${withScripts.join(', ')}`);
  }

  const names = new Set([...installed, ...bundledPackages(modules), COMPILED_INTO_WASM]);
  return [...names].sort().map((name) => {
    const { version = '', license = 'none', integrity = '', dependencies = {} } = entry(name);
    if (!PERMISSIVE.includes(license)) {
      throw new SetupError(`expected a permissive licence of ${name}, which ships with the package, got ${license}`);
    }
    return {
      name,
      version,
      license,
      integrity,
      dependencies: Object.keys(dependencies).filter((key) => names.has(key)),
    };
  });
}

/**
 * The names of the packages that modules come from.
 *
 * @param {Iterable<string>} modules
 */
function bundledPackages(modules) {
  return [...modules].flatMap((module) => {
    // In a package within a package, the last name is that of the module's own.
    const found = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(module);
    return found === null ? [] : [found[1].replace('\\', '/')];
  });
}
