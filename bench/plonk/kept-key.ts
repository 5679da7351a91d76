import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wasmModulesOf } from '../../sdk/executors/workers/kernel/wasm-module.js';
import { ParallelMultiples } from '../gpu-proof/parallel-multiples.js';
import { loadKernel } from '../lib/kernel.js';
import { plonkChain } from './chain.js';
import { makeFflonkKey } from './make-fflonk-key.js';
import { makePlonkKey } from './make-plonk-key.js';
import type { UniversalProtocol } from './snarkjs.js';

/** A circuit's key and witness in files. */
export interface KeptKey {
  readonly protocol: UniversalProtocol;
  readonly label: string;
  readonly zkey: string;
  readonly witness: string;
}

const MAKERS = { plonk: makePlonkKey, fflonk: makeFflonkKey } as const;

/**
 * The key and the witness of a chain of 2^log gates, from the folder or made anew. A folder of keys that another version
 * of the benchmark made is removed.
 *
 * @param folder with a slash at its end.
 * @param script the bundled benchmark, whose workers serve multiples.
 */
export async function keptKey(protocol: UniversalProtocol, log: number, folder: URL, script: URL): Promise<KeptKey> {
  const version = createHash('sha256').update(readFileSync(script)).digest('hex').slice(0, 16);
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(folder).filter((name) => name !== version)) {
    rmSync(new URL(other, folder), { recursive: true });
  }
  const own = new URL(`${version}/`, folder);
  mkdirSync(own, { recursive: true });
  const [zkey, witness] = [`${protocol}.zkey`, `wtns`].map((kind) =>
    fileURLToPath(new URL(`chain-${log}.${kind}`, own)),
  ) as Two;
  const kept: KeptKey = { protocol, label: `${protocol} chain 2^${log}`, zkey, witness };
  if (existsSync(zkey)) return kept;
  const began = performance.now();
  const made = plonkChain(log);
  const multiples = new ParallelMultiples(script);
  const key = await MAKERS[protocol](
    made.circuit,
    await loadKernel('bn254', wasmModulesOf('bn254', 'points').fastest),
    multiples,
  );
  await multiples.close();
  writeFileSync(witness, made.witness);
  // The key comes last and at once: where it is, everything is.
  writeFileSync(`${zkey}.part`, key);
  renameSync(`${zkey}.part`, zkey);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${kept.label}: key of ${(key.length / 1e6).toFixed(1)} MB made in ${seconds.toFixed(1)} s`);
  return kept;
}

type Two = [string, string];
