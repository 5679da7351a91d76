import type { CircuitInputs } from '../../sdk/api/index.js';
import { equalBytes } from '../../sdk/base/bytes.js';
import { type CompiledCircuit, compileCircuitAs } from '../../sdk/files/witness/compile-circuit.js';
import { KeptCircuit } from '../../sdk/files/witness/kept-circuit.js';
import { calculateWitness } from '../../sdk/files/witness/witness-calculator.js';
import type { Times } from '../lib/measure.js';

const MEMORY_BYTES = 2 ** 30;
/** Runs before the first that counts: at least two, and until the engine has compiled what is used much. */
const WARM_RUNS = 2;
const WARM_MS = 1000;

/**
 * Times of a circuit's witnesses by contender, in turns. As with `loadCircuit`, the instance of a small circuit is kept;
 * the third contender is one that starts anew each time. Nothing is timed before all give the same witness.
 *
 * @param cpu milliseconds that the process has computed.
 */
export async function measureCircuit(
  wasm: Uint8Array,
  inputs: CircuitInputs,
  runs: number,
  cpu: () => number,
): Promise<{ name: string; times: Times[] }[]> {
  const compile = (exchangeArithmetic: boolean): Promise<CompiledCircuit> =>
    compileCircuitAs(wasm, { memoryBytes: MEMORY_BYTES, isReused: true, exchangeArithmetic });
  const [ours, circoms] = [await compile(true), await compile(false)];
  if (ours.arithmetic.by === 'circuit') throw new Error('expected exchanged arithmetic, got the circuit as it is');
  const contenders = [
    { name: 'exchanged', circuit: ours, isKept: true },
    { name: "circom's", circuit: circoms, isKept: true },
    { name: 'exchanged, started anew', circuit: ours, isKept: false },
  ].map(({ name, circuit: { module, hasOnlyMemory }, isKept }) => {
    const kept = isKept && hasOnlyMemory ? { circuits: new KeptCircuit(), as: 1 } : undefined;
    const run = (): Promise<Uint8Array> => calculateWitness(module, inputs, 'bn254', { kept });
    return { name, run, times: [] as Times[] };
  });
  const [first, ...others] = await Promise.all(contenders.map(({ run }) => run()));
  if (others.some((each) => !equalBytes(each, first!))) throw new Error('expected one witness, got two');
  const begun = performance.now();
  for (let warm = 0; warm < WARM_RUNS || performance.now() - begun < WARM_MS; warm++) {
    for (const each of contenders) await each.run();
  }
  for (let run = 0; run < runs; run++) {
    for (const each of contenders) {
      const [start, cpuStart] = [performance.now(), cpu()];
      await each.run();
      each.times.push({ wall: performance.now() - start, cpu: cpu() - cpuStart });
    }
  }
  return contenders.map(({ name, times }) => ({ name, times }));
}
