import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../../../../sdk/api/index.js';
import type { NoticeCode } from '../../../../sdk/api/progress.js';
import { msmKernelKey as msmKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import { kernelsFor } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import { polynomialKernelKey as quotientKey } from '../../../../sdk/executors/gpu/polynomials/compose.js';
import { QUOTIENT_KERNELS } from '../../../../sdk/executors/gpu/polynomials/quotient-steps.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../../../support/circuits.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { endSnarkjs } from '../../../support/example.js';
import { withLongRow } from './long-row.js';
import { proverOnGpu } from './prover-on-gpu.js';

const CURVE = 'bn254';

/**
 * Kernels of MSMs of which ../msm/gpu-check-faults.test.ts runs a part. Usually `accumulate` of each group stands for
 * them here, and `gather`, which only a proof needs.
 */
const TRIED_IN_PART = /^(count|scatter|tally|scan|scan-add|deal|fold|reduce|collect) /;

/** The kernels of a proof. */
const KEYS = [
  ...new Set(
    kernelsFor({ digitsFrom: 'scalars', reduction: 'merged' }).flatMap((kernel) => [
      msmKey(CURVE, 'g1', kernel, 'limbs'),
      msmKey(CURVE, 'g2', kernel, 'limbs'),
    ]),
  ),
  ...QUOTIENT_KERNELS.map((kernel) => quotientKey(CURVE, kernel)),
].filter((key) => EVERY_COMBINATION || !TRIED_IN_PART.test(key));

let witnesses: Record<'chain' | 'flags', { circuit: TestCircuit; zkey: Uint8Array; witness: Uint8Array }>;
beforeAll(async () => {
  const load = async (name: 'chain' | 'flags') => {
    const circuit = await testCircuit(name);
    return { circuit, zkey: withLongRow(circuit.zkey, CURVE), witness: await snarkjsWitness(circuit) };
  };
  witnesses = { chain: await load('chain'), flags: await load('flags') };
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let prover: Prover | undefined;
afterEach(() => prover?.dispose());

describe('a proof on a GPU one of whose kernels does nothing', () => {
  // Scalars that are not centred are cut right as well: the windows have room for them.
  it.each(KEYS.filter((key) => !key.startsWith('centre')))('is right, and the GPU is distrusted: %s', async (key) => {
    // With few points there is one block of counters, and no bucket has several pieces.
    const { circuit, zkey, witness } = witnesses[/^(scan-add|fold)/.test(key) ? 'flags' : 'chain'];
    const used = new Set<string>();
    const notices: NoticeCode[] = [];
    const opened = await proverOnGpu(
      { backend: 'auto', onNotice: ({ code }) => notices.push(code) },
      { leavesOut: (name) => name === key, onUse: (name) => used.add(name) },
    );
    prover = opened.prover;
    const loaded = await prover.groth16.loadKey(zkey);
    await vi.waitFor(
      () => {
        // Sums over both groups, and the constraints, whose twiddles come last.
        expect(notices).toEqual(['WEBGPU_READY', 'WEBGPU_READY']);
        expect(used).toContain(quotientKey(CURVE, QUOTIENT_KERNELS[0]!));
      },
      { timeout: 60_000, interval: 5 },
    );
    const { proof, publicSignals, report } = await prover.groth16.prove(loaded, witness);
    expect(used).toContain(key);
    expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
    expect(report.notices.map(({ code }) => code)).toContain('WEBGPU_DISTRUSTED');
    expect(prover.capabilities.backend).toBe('wasm');
  });
});
