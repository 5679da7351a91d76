import { readFileSync } from 'node:fs';
import * as snarkjs from 'snarkjs';
import { compare } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import { checkWith } from './check.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import type { Peers } from './peers/peers.js';
import { benchCircuit, CIRCUITS, circuitLabel } from './setup/circuits.js';

const BAR = 4;

/**
 * Measures whole proofs from a witness in memory. Our prover has already loaded the key; snarkjs reads it from memory
 * each time.
 */
export async function proofRows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  for (const name of CIRCUITS) {
    const work = `proof ${circuitLabel(name)}`;
    if (!options.wants(work)) continue;
    const circuit = await benchCircuit(name);
    const [zkey, witness] = [circuit.zkey, circuit.witness].map((file) => new Uint8Array(readFileSync(file)));
    const check = checkWith(circuit.verificationKey);
    // snarkjs uses the workers that are started here: as many as the options say.
    await peers.ffjavascript('bn254');
    const prover = await peers.prover();
    const key = await prover.groth16.loadKey(zkey!);
    const contenders = [
      { name: 'pippin', run: () => prover.groth16.prove(key, witness!, { verify: false }), check },
      { name: 'pippin, verified', run: () => prover.groth16.prove(key, witness!), check },
      { name: 'snarkjs', run: () => snarkjs.groth16.prove(zkey!, witness!), check },
    ];
    report.add(work, await compare(contenders, options.runs, ROW_LIMIT_MS), { snarkjs: BAR });
    await key.dispose();
  }
}
