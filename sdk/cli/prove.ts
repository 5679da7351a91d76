import type { CallOptions, Prover } from '../api.js';
import type { ByteSource } from '../io/byte-source.js';
import { openNodeFile } from '../io/node-file.js';
import { readWtns } from '../snarkjs/wtns.js';
import { readZkey } from '../snarkjs/zkey.js';
import { wipe } from '../transport/free-memory.js';
import { isPath, readInputs, readJson, writeText } from './files.js';
import { note } from './output.js';
import { roundedTimes, withProver } from './prover.js';
import { type Options, precomputeOption, required, sha256Option, usageError, witnessLimits } from './usage.js';

export async function prove(options: Options): Promise<number> {
  const zkey = required(options, 'zkey', 'prove');
  const { witness, input, wasm } = options;
  if ((witness === undefined) === (input === undefined && wasm === undefined)) {
    throw usageError(
      `expected either --witness, or --input and --wasm, got ${witness === undefined ? 'neither' : 'both'}`,
    );
  }
  if (witness === undefined && (input === undefined || wasm === undefined)) {
    throw usageError(`expected --input and --wasm together, got --${input === undefined ? 'wasm' : 'input'} alone`);
  }
  const strictInputs = options['strict-inputs'] === true;
  const inputs = input === undefined ? undefined : await readInputs(input, strictInputs, note);
  const verificationKey =
    options.vkey === undefined ? {} : { verificationKey: (await readJson(options.vkey)) as never };
  const allowUnfinished = options['allow-unfinished'] === true;
  const expected = { ...verificationKey, ...sha256Option(options), allowUnfinished };
  const work = async (prover: Prover, call: CallOptions): Promise<string> => {
    const key = await prover.groth16.loadKey(zkey, { ...call, ...expected, ...precomputeOption(options) });
    const proving = { ...call, verify: options['no-verify'] !== true };
    const { proof, publicSignals, report } =
      inputs === undefined
        ? await prover.groth16.prove(key, witness!, proving)
        : await prover.groth16.fullProve(key, inputs, wasm!, { ...proving, ...witnessLimits(options), strictInputs });
    if (options.proof !== undefined) await writeText(options.proof, `${JSON.stringify(proof, undefined, 1)}\n`);
    if (options.public !== undefined)
      await writeText(options.public, `${JSON.stringify(publicSignals, undefined, 1)}\n`);
    const { backend } = report;
    const ms = { ...roundedTimes(report), 'load key': Math.round(key.report.ms.total! * 100) / 100 };
    if (options.json) return JSON.stringify({ proof, publicSignals, backend, ms });
    const written = [options.proof, options.public].filter((path) => path !== undefined).join(', ');
    if (written === '') return JSON.stringify({ proof, publicSignals }, undefined, 1);
    return `Proved on ${backend} in ${Math.round(report.ms.total!)} ms: ${written}`;
  };
  await withProver(options, work, checkFiles(zkey, witness));
  return 0;
}

/** Checks files while the workers start, so that wrong ones are reported at once. URLs are not checked, so that each is fetched only once. */
async function checkFiles(zkey: string, witness: string | undefined): Promise<void> {
  if (!isPath(zkey)) return;
  const { curve, facts } = await readFileAt(zkey, readZkey);
  if (witness !== undefined && isPath(witness)) {
    wipe(await readFileAt(witness, (file) => readWtns(file, curve, facts.variables)));
  }
}

async function readFileAt<T>(path: string, read: (file: ByteSource) => Promise<T>): Promise<T> {
  const file = await openNodeFile(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}
