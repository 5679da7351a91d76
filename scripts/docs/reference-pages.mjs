import { readEntries } from './public-api.mjs';

/**
 * The pages of the reference, in the order of what a reader looks for: one for each function and method, by what it is
 * for. Types have a page for each entry, unless one function alone uses them.
 */

/** @typedef {import('./public-api.mjs').Entry} Entry @typedef {import('./public-api.mjs').Callable} Callable */

/**
 * @typedef {object} Group
 * @property {string} title
 * @property {string} entry
 * @property {readonly string[]} names functions, and methods as `Owner.name`
 * @property {readonly string[]} readOn pages of the guide, from docs/
 */

/** @type {readonly Group[]} */
export const GROUPS = [
  {
    title: 'Prove',
    entry: 'pippin-prover',
    names: ['createProver', 'Groth16.fullProve', 'Groth16.prove', 'Prover.dispose'],
    readOn: ['guide/proving.md', 'recipes/prove.md', 'recipes/progress.md', 'recipes/abort.md'],
  },
  {
    title: 'Verify',
    entry: 'pippin-prover',
    names: ['Groth16.verify', 'Groth16.verifyBatch'],
    readOn: ['recipes/verify.md', 'recipes/calldata.md', 'security.md'],
  },
  {
    title: 'Keys and circuits',
    entry: 'pippin-prover',
    names: [
      'Groth16.loadKey',
      'Groth16.loadCircuit',
      'Groth16Key.dispose',
      'Circuit.dispose',
      'Prover.cacheWritten',
      'Prover.clearCache',
    ],
    readOn: ['guide/caching.md', 'recipes/pin-key.md', 'recipes/offline-keys.md', 'guide/memory.md'],
  },
  {
    title: 'PLONK',
    entry: 'pippin-prover',
    names: [
      ...['Prover.loadKey', 'Plonk.fullProve', 'Plonk.prove', 'Plonk.verify', 'Plonk.loadKey', 'Plonk.loadCircuit'],
      'Plonk.verifyBatch',
      'PlonkKey.dispose',
    ],
    readOn: ['guide/plonk.md', 'guide/proving.md'],
  },
  {
    title: 'FFLONK',
    entry: 'pippin-prover',
    names: [
      ...['Fflonk.fullProve', 'Fflonk.prove', 'Fflonk.verify', 'Fflonk.loadKey', 'Fflonk.loadCircuit'],
      'Fflonk.verifyBatch',
      'FflonkKey.dispose',
    ],
    readOn: ['guide/plonk.md', 'guide/proving.md'],
  },
  {
    title: 'MSM',
    entry: 'pippin-prover',
    names: [
      'Prover.loadBases',
      'Prover.msm',
      'Prover.msmBatch',
      'Bases.dispose',
      'Prover.tune',
      'Prover.performanceMap',
    ],
    readOn: ['recipes/msm.md', 'icicle.md', 'guide/memory.md'],
  },
  {
    title: 'KZG commitments',
    entry: 'pippin-prover',
    names: [
      ...['Kzg.loadSrs', 'Kzg.commit', 'Kzg.open', 'Kzg.verify', 'Kzg.commitBatch', 'Kzg.openBatch'],
      ...['Kzg.verifyBatch', 'KzgSrs.dispose'],
    ],
    readOn: ['recipes/kzg.md', 'recipes/msm.md', 'guide/memory.md'],
  },
  {
    title: 'Encodings',
    entry: 'pippin-prover/encodings',
    names: [
      ...['solidityCalldata', 'solidityArguments', 'ethereumWords', 'ethereumAbi'],
      ...['toArkworks', 'arkworksVerificationKey', 'toGnark'],
      ...['toSolana', 'solanaVerificationKey', 'toSui', 'suiVerificationKey'],
      ...['exportVerificationKey', 'readInfo', 'checkInputs', 'checkWitness'],
      ...['packKey', 'unpackKey'],
    ],
    readOn: ['recipes/calldata.md', 'recipes/verify.md', 'packed-keys.md'],
  },
  {
    title: 'React',
    entry: 'pippin-prover/react',
    names: [
      ...['useProver', 'useKey', 'useProof'],
      ...['ProofWork.fullProve', 'ProofWork.prove', 'ProofWork.abort', 'ProofWork.reset'],
    ],
    readOn: ['guide/react.md', 'guide/proving.md'],
  },
  {
    title: "A wallet's queue",
    entry: 'pippin-prover/queue',
    names: [
      ...['createProofQueue', 'ProofQueue.add', 'ProofQueue.result', 'ProofQueue.list', 'ProofQueue.cancel'],
      ...['ProofQueue.forget', 'ProofQueue.pause', 'ProofQueue.resume', 'ProofQueue.dispose'],
    ],
    readOn: ['guide/queue.md', 'guide/memory.md'],
  },
  {
    title: 'Ceremony',
    entry: 'pippin-prover/ceremony',
    names: [
      ...['newKey', 'newUniversalKey', 'contribute', 'beacon', 'verifyContributions', 'describeKey'],
      ...[
        'newPowersOfTau',
        'contributeToPowersOfTau',
        'addBeaconToPowersOfTau',
        'verifyPowersOfTau',
        'preparePowersOfTau',
      ],
      ...['convertPowersOfTau', 'truncatePowersOfTau', 'exportChallenge', 'respondToChallenge', 'importResponse'],
      'powersOfTauToJson',
      ...['exportBellman', 'contributeBellman', 'importBellman'],
    ],
    readOn: ['guide/ceremony.md', 'moving-from-snarkjs.md'],
  },
  {
    title: 'Browser extension',
    entry: 'pippin-prover/extension',
    names: [
      ...[
        'connectProver',
        'serveProver',
        'ExtensionGroth16.fullProve',
        'ExtensionGroth16.prove',
        'ExtensionGroth16.verify',
      ],
      ...['ExtensionGroth16.loadKey', 'ExtensionKey.dispose', 'ExtensionProver.proofs', 'ExtensionProver.result'],
      ...['ExtensionUniversal.fullProve', 'ExtensionUniversal.prove', 'ExtensionUniversal.verify'],
      ...['ExtensionUniversal.loadKey', 'ExtensionUniversalKey.dispose'],
      ...['ExtensionProver.discard', 'ExtensionProver.capabilities', 'ExtensionProver.clearCache'],
      ...['ExtensionProver.disconnect', 'ProverServer.close'],
    ],
    readOn: ['extension.md', 'recipes/service-worker.md'],
  },
  {
    title: 'Webview: the page',
    entry: 'pippin-prover/webview',
    names: ['serveProver', 'ProverService.close', 'findHostChannel', 'HostChannel.post', 'HostChannel.listen'],
    readOn: ['webview.md', 'guide/memory.md'],
  },
  {
    title: 'Webview: the app',
    entry: 'pippin-prover/webview-client',
    names: [
      ...['connectProver', 'ProverConnection.prove', 'ProverConnection.receive', 'ProverConnection.setVisible'],
      ...['ProverConnection.pageLost', 'ProverConnection.trim', 'ProverConnection.close'],
    ],
    readOn: ['webview.md'],
  },
  {
    title: 'In place of snarkjs',
    entry: 'pippin-prover/snarkjs',
    names: [
      ...['groth16.fullProve', 'groth16.prove', 'groth16.verify', 'groth16.exportSolidityCallData', 'wtns.calculate'],
      ...['plonk.fullProve', 'plonk.prove', 'plonk.verify', 'plonk.exportSolidityCallData', 'plonk.setup'],
      ...['fflonk.fullProve', 'fflonk.prove', 'fflonk.verify', 'fflonk.exportSolidityCallData', 'fflonk.setup'],
      ...['wtns.exportJson', 'zKey.exportVerificationKey', 'zKey.exportJson', 'zKey.exportSolidityVerifier'],
      ...['zKey.newZKey', 'zKey.contribute', 'zKey.beacon', 'zKey.verifyFromInit', 'zKey.verifyFromR1cs'],
      ...['powersOfTau.newAccumulator', 'powersOfTau.contribute', 'powersOfTau.beacon', 'powersOfTau.verify'],
      ...['powersOfTau.preparePhase2', 'powersOfTau.convert', 'powersOfTau.truncate', 'powersOfTau.exportJson'],
      'powersOfTau.exportChallenge',
      ...['powersOfTau.challengeContribute', 'powersOfTau.importResponse'],
      ...['zKey.exportBellman', 'zKey.bellmanContribute', 'zKey.importBellman'],
      ...['r1cs.info', 'r1cs.exportJson', 'curves.getCurveFromName', 'curves.getCurveFromR'],
      ...['curves.getCurveFromQ', 'configure'],
    ],
    readOn: ['moving-from-snarkjs.md'],
  },
  {
    title: 'Prover farm',
    entry: 'pippin-farm',
    names: [
      ...['ProofQueue.open', 'ProofQueue.submit', 'ProofQueue.result', 'ProofQueue.watch', 'ProofQueue.status'],
      ...['ProofQueue.cancel', 'ProofQueue.circuits', 'ProofQueue.farm', 'ProofQueue.redisReady'],
      ...['ProofQueue.bullmqQueues', 'ProofQueue.close', 'Farm.start', 'Farm.drain', 'Farm.drainOnSignal'],
      ...['ProofWorker.start', 'ProofWorker.drain', 'readCircuits', 'createFront', 'newApiKey', 'makeKeyPair'],
      ...['writeKeyPair', 'readKeyPair', 'gpuProcesses', 'startRedis', 'DevelopmentRedis.stop'],
    ],
    readOn: ['server.md', 'guide/farm-http.md', 'scale.md'],
  },
];

/** What begins the addresses of an entry's pages. */
const PREFIXES = new Map([
  ['pippin-prover/react', 'react-'],
  ['pippin-prover/queue', 'queue-'],
  ['pippin-prover/extension', 'extension-'],
  ['pippin-prover/webview', 'webview-'],
  ['pippin-prover/webview-client', 'app-'],
  ['pippin-prover/snarkjs', 'snarkjs-'],
  ['pippin-farm', 'farm-'],
]);

/**
 * How callers write an object whose methods have pages, and what gives it; with its entry where two have one name.
 * @type {ReadonlyMap<string, readonly [string, string]>}
 */
const OWNERS = new Map([
  ['Prover', ['prover', 'createProver']],
  ['Groth16', ['prover.groth16', 'createProver']],
  ['Groth16Key', ['key', 'Groth16.loadKey']],
  ['Plonk', ['prover.plonk', 'createProver']],
  ['PlonkKey', ['plonkKey', 'Plonk.loadKey']],
  ['Fflonk', ['prover.fflonk', 'createProver']],
  ['FflonkKey', ['fflonkKey', 'Fflonk.loadKey']],
  ['Kzg', ['prover.kzg', 'createProver']],
  ['KzgSrs', ['srs', 'Kzg.loadSrs']],
  ['Circuit', ['circuit', 'Groth16.loadCircuit']],
  ['Bases', ['bases', 'Prover.loadBases']],
  ['ExtensionProver', ['prover', 'connectProver']],
  ['ExtensionGroth16', ['prover.groth16', 'connectProver']],
  ['ExtensionKey', ['key', 'ExtensionGroth16.loadKey']],
  ['ExtensionUniversal', ['prover.plonk', 'connectProver']],
  ['ExtensionUniversalKey', ['plonkKey', 'ExtensionUniversal.loadKey']],
  ['ProverServer', ['server', 'serveProver']],
  ['ProverService', ['service', 'serveProver']],
  ['HostChannel', ['channel', 'findHostChannel']],
  ['ProverConnection', ['connection', 'connectProver']],
  ['pippin-prover/queue ProofQueue', ['queue', 'createProofQueue']],
  ['ProofWork', ['proof', 'useProof']],
  ['ProofQueue', ['queue', 'ProofQueue.open']],
  ['ProofWorker', ['worker', 'ProofWorker.start']],
  ['Farm', ['farm', 'Farm.start']],
  ['DevelopmentRedis', ['redis', 'startRedis']],
]);

/** What gives an object that gives keys. */
const ROOTS = new Map([
  ...['Groth16', 'Plonk', 'Fflonk', 'Kzg', 'Prover'].map((name) => /** @type {const} */ ([name, 'createProver'])),
  ...['ExtensionGroth16', 'ExtensionUniversal'].map((name) => /** @type {const} */ ([name, 'connectProver'])),
]);

/** Interfaces whose methods the caller or the platform writes. */
const NOT_CALLED = new Set(['TrustedScriptUrl', 'Logger', 'FrontQueue']);

/**
 * @typedef {object} Page
 * @property {string} key `Owner.name`
 * @property {string} title what callers write
 * @property {string} slug
 * @property {Group} group
 * @property {Callable} call
 * @property {Callable | undefined} inNode where Node has another function of this name
 * @property {string | undefined} from the key of what gives the object
 */

/**
 * All functions and methods that are to have a page, by entry. @param {readonly Entry[]} entries @returns {{ entry:
 * string, key: string, call: Callable }[]}
 */
export function callables(entries) {
  const seen = new Set();
  return entries.flatMap((entry) =>
    entry.exports
      .filter(({ name }) => !NOT_CALLED.has(name))
      .flatMap(({ call, methods }) => (call === undefined ? methods : [call]))
      .filter(({ isMissing }) => !isMissing)
      .map((call) => ({ entry: entry.name, key: keyOf(call), call }))
      // An entry may export again what another one declares.
      .filter(({ key, call }) => !seen.has(`${call.file} ${key}`) && seen.add(`${call.file} ${key}`)),
  );
}

/**
 * The pages of all functions. One that is not in a group, or a name that no entry has, is an error. @param {readonly
 * Entry[]} entries @returns {Page[]}
 */
export function functionPages(entries = readEntries()) {
  const known = callables(entries);
  const pages = GROUPS.flatMap((group) =>
    group.names.map((key) => {
      const [call, inNode] = known
        .filter((one) => one.entry === group.entry && one.key === key)
        .map(({ call }) => call);
      if (call === undefined) throw new Error(`expected ${group.entry} to have ${key}, got no such export`);
      const owner = OWNERS.get(`${group.entry} ${call.owner}`) ?? OWNERS.get(call.owner ?? '');
      const object = call.isStatic ? call.owner : (owner?.[0] ?? call.owner);
      const title = object === undefined ? call.name : `${object}.${call.name}`;
      const from = call.isStatic ? undefined : owner?.[1];
      // Functions that are the same in Node come from constants with one docstring.
      const differs = inNode !== undefined && inNode.docs.text !== call.docs.text;
      return { key, title, slug: '', group, call, inNode: differs ? inNode : undefined, from };
    }),
  );
  const forgotten = known.filter(
    ({ entry, key }) => !pages.some((page) => page.group.entry === entry && page.key === key),
  );
  if (forgotten.length > 0) {
    throw new Error(
      `expected a page for each function, got none for ${forgotten.map(({ entry, key }) => `${key} of ${entry}`).join(', ')}`,
    );
  }
  const isOnce = ({ group, call }) =>
    pages.filter((page) => page.group.entry === group.entry && page.call.name === call.name).length === 1;
  return pages.map((page) => {
    const prefix = PREFIXES.get(page.group.entry) ?? '';
    return { ...page, slug: prefix + kebab(isOnce(page) ? page.call.name : page.title) };
  });
}

/** What callers import for a call. @param {Page} page */
export function importOf({ call, from, group: { entry } }) {
  const given = call.isStatic || from === undefined ? (call.owner ?? call.name) : (from.split('.')[0] ?? '');
  // The methods of a prover and of what it gives begin with the prover.
  const root = ROOTS.get(given) ?? given;
  return `import { ${root} } from '${entry}';`;
}

/** How callers write the call, with its types. @param {Page} page */
export function signatureOf({ title, call }) {
  const params = call.params.map(({ name, type, isOptional }) => `${name}${isOptional ? '?' : ''}: ${type}`);
  const name = `${title}${call.typeParams}`;
  const line = `${name}(${params.join(', ')}): ${call.result}`;
  return line.length <= 80 ? line : `${name}(${params.map((param) => `\n  ${param},`).join('')}\n): ${call.result}`;
}

/** The page of the types of an entry. @param {string} entry */
export function typesSlug(entry) {
  return entry === 'pippin-prover' ? 'types' : `${kebab(entry.replace(/^pippin-(prover\/)?/, ''))}-types`;
}

/** @param {Callable} call */
function keyOf({ owner, name }) {
  return owner === undefined ? name : `${owner}.${name}`;
}

/** @param {string} name */
function kebab(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('.', '-')
    .toLowerCase();
}
