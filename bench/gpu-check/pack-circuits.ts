import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURVES } from '../../sdk/curves/index.js';
import {
  CIRCUIT_NAMES,
  chainOver,
  snarkjsWitness,
  type TestCircuit,
  testCircuit,
} from '../../tests/support/circuits.js';
import { example, exampleWtns } from '../../tests/support/example.js';

/**
 * Started by scripts/bench.mjs as `node pack-circuits.mjs FOLDER`: writes key, witness and verification key of each
 * circuit into the folder.
 */
const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });

function write(name: string, zkey: Uint8Array, witness: Uint8Array, verificationKey: object): void {
  writeFileSync(join(folder, `${name}.zkey`), zkey);
  writeFileSync(join(folder, `${name}.wtns`), witness);
  writeFileSync(join(folder, `${name}.vkey.json`), JSON.stringify(verificationKey));
}

async function writeCircuit(name: string, circuit: TestCircuit): Promise<void> {
  write(name, circuit.zkey, await snarkjsWitness(circuit), circuit.verificationKey);
}

for (const name of CIRCUIT_NAMES.filter((each) => each !== 'chain')) await writeCircuit(name, await testCircuit(name));
for (const { id, snarkjs } of Object.values(CURVES)) {
  if (snarkjs !== undefined) await writeCircuit(`chain-${id}`, await chainOver(id));
}
write('example', readFileSync(example.zkeyPath), await exampleWtns(), example.verificationKey);
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
