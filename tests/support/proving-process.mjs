// A process with a prover, whose memory a test reads: node proving-process.mjs ENTRY FOLDER. It is told by messages
// what to do, and answers with the code of the error, or nothing. It keeps no secret of its own: a witness stays in its
// file, and scalars are overwritten after use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [entry, folder] = process.argv.slice(2);
const { createProver } = await import(entry);
const file = (name) => join(folder, name);

const prover = await createProver({ backend: 'wasm', threads: 2, cache: false });
const key = await prover.groth16.loadKey(file('key.zkey'));
const bases = await prover.loadBases({ curve: 'bn254', points: file('points.bin') });
const universal = {
  plonk: await prover.plonk.loadKey(file('key.plonk.zkey')),
  fflonk: await prover.fflonk.loadKey(file('key.fflonk.zkey')),
};
const srs = await prover.kzg.loadSrs(file('powers.ptau'));

/** Proves with a witness from a file. */
const prove = (name, options) => prover.groth16.prove(key, file(name), options);

/** Proves for inputs from a file. */
const fullProve = (options) =>
  prover.groth16.fullProve(key, JSON.parse(readFileSync(file('inputs.json'), 'utf8')), file('circuit.wasm'), options);

/** Proves with a witness from a file and a key of PLONK or FFLONK. */
const proveWith = (protocol, name, options) => prover[protocol].prove(universal[protocol], file(name), options);

/** What it is told to keep. */
let held;

/** Runs a call that is aborted when so many events of its progress have come. */
async function aborted(events, call) {
  const controller = new AbortController();
  let seen = 0;
  const onProgress = () => ++seen === events && controller.abort();
  await call({ signal: controller.signal, onProgress });
}

/** Runs a call with scalars from a file, as a caller does who overwrites them. */
async function withScalars(name, call) {
  const scalars = readFileSync(file(name));
  try {
    await call(new Uint8Array(scalars.buffer, scalars.byteOffset, scalars.length));
  } finally {
    scalars.fill(0);
  }
}

/** What is done with the key of PLONK or FFLONK, by its name. */
const actionsOf = (protocol) => ({
  [`${protocol}`]: () => proveWith(protocol, 'witness.wtns'),
  [`${protocol} of constant work`]: () => proveWith(protocol, 'witness.wtns', { constantWork: true }),
  [`${protocol} in vain`]: () => proveWith(protocol, 'wrong.wtns'),
  [`${protocol}, aborted at once`]: () => aborted(1, (options) => proveWith(protocol, 'witness.wtns', options)),
  [`${protocol}, aborted later`]: () => aborted(20, (options) => proveWith(protocol, 'witness.wtns', options)),
});

const actions = {
  ...actionsOf('plonk'),
  ...actionsOf('fflonk'),
  'KZG commitment': () => withScalars('polynomial.bin', (polynomial) => prover.kzg.commit(srs, polynomial)),
  'KZG opening': () => withScalars('polynomial.bin', (polynomial) => prover.kzg.open(srs, polynomial, 3n)),
  'KZG opening, aborted': () =>
    withScalars('polynomial.bin', (polynomial) =>
      aborted(1, (options) => prover.kzg.open(srs, polynomial, 3n, options)),
    ),
  prove: () => prove('witness.wtns'),
  'prove in vain': () => prove('wrong.wtns'),
  'prove with a refused witness': () => prove('refused.wtns'),
  'prove, aborted at once': () => aborted(1, (options) => prove('witness.wtns', options)),
  'prove, aborted later': () => aborted(12, (options) => prove('witness.wtns', options)),
  msm: () => withScalars('scalars.bin', (scalars) => prover.msm(bases, scalars)),
  'msm of Montgomery scalars': () =>
    withScalars('scalars.bin', (scalars) => prover.msm(bases, scalars, { scalarsForm: 'montgomery' })),
  'msm, aborted': () =>
    withScalars('scalars.bin', (scalars) => aborted(1, (options) => prover.msm(bases, scalars, options))),
  msmBatch: () => withScalars('batch.bin', (scalars) => prover.msmBatch(bases, scalars, { batchSize: 2 })),
  fullProve: () => fullProve(),
  'fullProve, aborted': () => aborted(2, fullProve),
  'prove, disposed': async () => {
    let disposing;
    const onProgress = () => {
      disposing ??= prover.dispose();
    };
    try {
      await prove('witness.wtns', { onProgress });
    } finally {
      await disposing;
    }
  },
  'hold scalars': () => {
    held = readFileSync(file('scalars.bin'));
  },
  'let scalars go': () => held.fill(0),
};

process.on('message', async (name) => {
  try {
    await actions[name]();
    process.send({});
  } catch (error) {
    process.send({ code: error.code ?? String(error) });
  }
});
process.send({});
