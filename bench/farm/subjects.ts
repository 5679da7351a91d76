import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CircuitRegistration } from '../../farm/src/index.js';
import type { CircuitInputs, Prover } from '../../sdk/api/index.js';
import { makeKey } from '../cpu/setup/make-key.js';
import { chainCircuit } from '../gpu-proof/chain.js';
import type { ParallelMultiples } from '../gpu-proof/parallel-multiples.js';

/** A circuit that a farm is measured with. */
export interface Subject {
  readonly label: string;
  readonly registration: CircuitRegistration;
  /** What each job holds. */
  readonly input: { readonly inputs: CircuitInputs } | { readonly witness: Uint8Array };
}

/** The circuit of the example, from inputs. */
export function noteSubject(folder: URL): Subject {
  const at = (name: string): string => fileURLToPath(new URL(name, folder));
  return {
    label: 'note of the example, from inputs',
    registration: {
      id: 'note',
      zkey: file(at('note.zkey')),
      wasm: file(at('note.wasm')),
      verificationKey: file(at('note.vkey.json')),
    },
    input: { inputs: JSON.parse(readFileSync(at('input.json'), 'utf8')) },
  };
}

/** A chain of 2^log constraints, from a witness. Its key is made here and written to a folder. */
export async function chainSubject(
  log: number,
  folder: string,
  prover: Prover,
  multiples: ParallelMultiples,
): Promise<Subject> {
  const { circuit, witness } = chainCircuit(log);
  const id = `chain-${log}`;
  const [zkey, verificationKey] = [join(folder, `${id}.zkey`), join(folder, `${id}.json`)];
  writeFileSync(zkey, await makeKey(circuit, multiples));
  const key = await prover.groth16.loadKey(zkey);
  writeFileSync(verificationKey, JSON.stringify(key.verificationKey));
  await key.dispose();
  return {
    label: `chain 2^${log}, from a witness`,
    registration: { id, zkey: file(zkey), verificationKey: file(verificationKey) },
    input: { witness },
  };
}

function file(source: string): { source: string; sha256: string } {
  return { source, sha256: createHash('sha256').update(readFileSync(source)).digest('hex') };
}
