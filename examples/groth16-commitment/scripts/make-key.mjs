import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as snarkjs from 'snarkjs';
import { mustRun, root, runMain } from '../../../scripts/lib/run.mjs';
import { endSnarkjs, makeCircuit } from '../../../scripts/lib/trusted-setup.mjs';
import { makeNotes } from './notes.mjs';

/**
 * Makes everything in ../key again: the circuit's witness WASM, its proving key, as it is and packed, with the packed
 * key's hash, its verification key, the notes, and the first note's inputs as a file of their own for the command line.
 * The same sources give the same files. Packing needs the built package (`npm run build`).
 *
 *     node examples/groth16-commitment/scripts/make-key.mjs
 */
const circuit = fileURLToPath(new URL('../circuit/note.circom', import.meta.url));
const key = fileURLToPath(new URL('../key/', import.meta.url));

const WARNING = `
  This key is for testing only. Its secrets come from one machine and a fixed word: anybody can forge proofs for it.
  A key for anything of value comes from a ceremony of many independent parties.
`;

await runMain(async () => {
  console.log(WARNING);
  const folder = mkdtempSync(join(tmpdir(), 'pippin-key-'));
  try {
    // Level 2 also substitutes the linear constraints away, which more than halves the witness.
    const made = await makeCircuit(circuit, folder, { flags: ['--O2'] });
    const notes = await makeNotes(folder);
    await checkNotes(notes, made.wasm, made.r1cs);

    copyFileSync(made.zkey, join(key, 'note.zkey'));
    const packed = join(key, 'note.pzkey');
    const pack = [join(root, 'dist', 'cli.js'), 'pack', join(key, 'note.zkey'), '--out', packed];
    await mustRun(process.execPath, pack);
    writeJson('sha256.json', { 'note.pzkey': createHash('sha256').update(readFileSync(packed)).digest('hex') });
    copyFileSync(made.wasm, join(key, 'note.wasm'));
    copyFileSync(made.verificationKey, join(key, 'note.vkey.json'));
    writeJson('notes.json', notes);
    writeJson('input.json', notes[0].inputs);
    console.log(`Written to ${key}`);
  } finally {
    rmSync(folder, { recursive: true });
    await endSnarkjs();
  }
  console.log(WARNING);
});

/**
 * Each note satisfies the circuit.
 *
 * @param {{ label: string, inputs: object }[]} notes
 * @param {string} wasm
 * @param {string} r1cs
 */
async function checkNotes(notes, wasm, r1cs) {
  for (const { label, inputs } of notes) {
    const witness = { type: 'mem' };
    await snarkjs.wtns.calculate(inputs, wasm, witness);
    if (!(await snarkjs.wtns.check(r1cs, witness))) throw new Error(`the note ${label} does not satisfy the circuit`);
  }
}

/** @param {string} name @param {unknown} value */
function writeJson(name, value) {
  writeFileSync(join(key, name), `${JSON.stringify(value, undefined, 1)}\n`);
}
