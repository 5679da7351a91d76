import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CircuitName } from '../cpu/setup/circuits.js';
import { makeKey } from '../cpu/setup/make-key.js';
import { readR1cs } from '../cpu/setup/r1cs.js';
import type { ParallelMultiples } from '../gpu-proof/parallel-multiples.js';

const LABELS = {
  chain12: 'chain 2^12',
  chain14: 'chain 2^14',
  membership: 'Merkle + EdDSA',
  chain16: 'chain 2^16',
  chain18: 'chain 2^18',
} as const;

/** The circuits that are proved beside the example's. */
export const VISITED = Object.keys(LABELS) as (keyof typeof LABELS & CircuitName)[];

/** What a visitor's page fetches, and what she enters. */
export interface VisitedCircuit {
  readonly label: string;
  readonly wasm: Uint8Array;
  /** As JSON. */
  readonly inputs: string;
  zkey(multiples: ParallelMultiples): Promise<Uint8Array>;
}

/** The example, and the circuits that were packed into the folder, with these names. */
export function visitedCircuits(folder: URL, wanted: RegExp): VisitedCircuit[] {
  const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));
  const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  const example = {
    label: 'example',
    files: () => ({ wasm: read('example/note.wasm'), inputs: text('example/input.json') }),
    zkey: async () => read('example/note.zkey'),
  };
  const others = VISITED.map((name) => ({
    label: LABELS[name],
    files: () => ({ wasm: read(`circuits/${name}.wasm`), inputs: text(`circuits/${name}.json`) }),
    zkey: async (multiples: ParallelMultiples) =>
      makeKey(await readR1cs(new Uint8Array(gunzipSync(read(`circuits/${name}.r1cs.gz`)))), multiples),
  }));
  return [example, ...others]
    .filter(({ label }) => wanted.test(label))
    .map(({ label, files, zkey }) => ({ label, zkey, ...files() }));
}
