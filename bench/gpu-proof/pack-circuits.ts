import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { benchCircuit } from '../cpu/setup/circuits.js';
import { COMPILED_NAMES } from './circuits.js';

/**
 * Started by scripts/bench.mjs as `node pack-circuits.mjs FOLDER`: compiles circuits by circom and packs what a machine
 * without circom needs.
 */
const folder = process.argv[2]!;
for (const name of COMPILED_NAMES) {
  const { witness } = await benchCircuit(name);
  writeFileSync(join(folder, `${name}.wtns.gz`), gzipSync(readFileSync(witness)));
  writeFileSync(join(folder, `${name}.r1cs.gz`), gzipSync(readFileSync(join(dirname(witness), `${name}.r1cs`))));
}
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
