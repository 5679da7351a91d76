import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fflonkCircuit, plonkCircuit, type TestCircuit, testCircuit } from '../../tests/support/circuits.js';

/**
 * Started by scripts/bench.mjs as `node pack-circuits.mjs FOLDER`: writes key, WASM and verification key of the tests'
 * circuit `chain` into the folder, for each proof system and curve that has one.
 */
const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });

function write(name: string, { zkey, wasm, verificationKey }: TestCircuit<object>): void {
  writeFileSync(join(folder, `${name}.zkey`), zkey);
  writeFileSync(join(folder, `${name}.wasm`), wasm);
  writeFileSync(join(folder, `${name}.vkey.json`), JSON.stringify(verificationKey));
}

write('groth16-bn254', await testCircuit('chain'));
write('groth16-bls12-381', await testCircuit('bls12381/chain'));
write('plonk-bn254', await plonkCircuit('chain'));
write('plonk-bls12-381', await plonkCircuit('bls12381/chain'));
write('fflonk-bn254', await fflonkCircuit('chain'));
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
