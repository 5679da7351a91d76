/** In the build of classic scripts: the URL of the script that runs. */
const OWN_URL = 'pippinScriptUrl';

/**
 * The first statement of a classic script: a page tells a script's URL only while it first runs, and in a worker there
 * is only the worker's. A worker of another origin has the script's URL in the fragment (`startUrl` of
 * sdk/transport/script-urls.ts).
 */
export const classicIntro = `var ${OWN_URL} = globalThis.document?.currentScript?.src ?? location.href.replace(/^blob:[^#]+#/, '');`;

/** What stands in place of what only modules have. */
export const classicDefine = { 'import.meta.url': OWN_URL };

/**
 * Starts workers as classic scripts, the coordinator from the page's own script, and finds the WASM in the folder above,
 * beside the scripts that are modules.
 *
 * @type {import('rolldown').Plugin}
 */
export const classicWorkers = {
  name: 'classic-workers',
  transform: {
    filter: {
      id: /sdk[\\/]hosts[\\/]page[\\/](browser-caller|nested-workers|start-worker|generated[\\/]wasm-urls)\.ts$/,
    },
    handler: (code) => ({
      code: code
        .replaceAll("{ type: 'module' }", '{}')
        .replaceAll("'./coordinator.js'", "'./pippin.js#coordinator'")
        .replaceAll(/'\.\/([\w-]+\.wasm)'/g, "'../$1'"),
      map: null,
    }),
  },
};
