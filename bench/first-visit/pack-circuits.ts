import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { benchCircuit, circuitInputs } from '../cpu/setup/circuits.js';
import { VISITED } from './circuits.js';

/**
 * Started by scripts/bench.mjs as `node pack-circuits.mjs FOLDER`: compiles circuits by circom and packs what a machine
 * without circom needs.
 */
const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });
for (const name of VISITED) {
  const made = dirname((await benchCircuit(name)).zkey);
  writeFileSync(join(folder, `${name}.r1cs.gz`), gzipSync(readFileSync(join(made, `${name}.r1cs`))));
  copyFileSync(join(made, `${name}.wasm`), join(folder, `${name}.wasm`));
  writeFileSync(join(folder, `${name}.json`), circuitInputs(name));
}
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
