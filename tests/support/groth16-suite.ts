import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CircuitInputs, Groth16Key, Groth16VerificationKey, ProveResult, Prover } from '../../sdk/api/index.js';
import type { ProgressEvent } from '../../sdk/api/progress.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { MAKING_TIMEOUT } from './circuits.js';
import { endSnarkjsOver } from './example.js';

/** What the suite proves: files, inputs that satisfy the circuit, and their witness. */
export interface Groth16Circuit {
  readonly zkey: string | Uint8Array;
  readonly wasm: string | Uint8Array;
  readonly inputs: CircuitInputs;
  readonly verificationKey: Groth16VerificationKey;
  readonly witness: Uint8Array;
}

/** Holds a prover's proofs over a curve against snarkjs, on a backend that computes all parts of them. */
export function testGroth16(
  curve: CurveId,
  backend: 'wasm' | 'webgpu',
  start: () => Promise<[circuit: Groth16Circuit, prover: Prover]>,
): void {
  let circuit: Groth16Circuit;
  let prover: Prover;
  let key: Groth16Key;
  let first: ProveResult;
  const accepted = ({ proof, publicSignals }: Pick<ProveResult, 'proof' | 'publicSignals'>): Promise<boolean> =>
    snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof);
  beforeAll(async () => {
    [circuit, prover] = await start();
    key = await prover.groth16.loadKey(circuit.zkey);
  }, MAKING_TIMEOUT);
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjsOver(curve);
  });

  it('gives the verification key that snarkjs gives', () => {
    expect(JSON.stringify(key.verificationKey)).toBe(JSON.stringify(circuit.verificationKey));
  });

  it('proves what snarkjs verifies, public signals and all', async () => {
    const events: ProgressEvent[] = [];
    first = await prover.groth16.prove(key, circuit.witness, { onProgress: (event) => events.push(event) });
    const { proof, publicSignals, report } = first;
    expect(await accepted(first)).toBe(true);
    expect(await accepted({ proof, publicSignals: publicSignals.with(0, '1') })).toBe(false);
    expect(report.backend).toBe(backend);
    expect(report.parts).toEqual({ A: backend, B1: backend, B2: backend, C: backend, H: backend });
    expect(report.executors).toEqual({ A: [backend], B1: [backend], B2: [backend], C: [backend], H: [backend] });
    expect(report.ms.total).toBeGreaterThan(0);
    expect(report.memory?.workers).toBeGreaterThan(backend === 'wasm' ? 0 : -1);
    expect(report.memory?.gpu).toBeGreaterThan(backend === 'webgpu' ? 0 : -1);
    const spans = events.flatMap((event) => (event.kind === 'span' ? [event.span] : []));
    // The GPU computes the constraints together with the transforms.
    const constraints = backend === 'wasm' ? ['constraints'] : [];
    const phases = ['read', ...constraints, 'transform', 'msm', 'combine', 'verify'];
    expect(new Set(spans.map(({ phase }) => phase))).toEqual(new Set(phases));
    expect(spans.find(({ phase }) => phase === 'transform')!.executor).toBe(backend);
    const commitments = Object.fromEntries(
      events.flatMap((event) => (event.kind === 'commitment' ? [[event.name, event.point]] : [])),
    );
    expect(commitments).toEqual({ A: proof.pi_a, B: proof.pi_b, C: proof.pi_c });
    const fractions = events.flatMap((event) => (event.kind === 'progress' ? [event.done / event.total] : []));
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBeCloseTo(1);
  });

  it('never gives the same proof twice', async () => {
    const { proof, publicSignals } = await prover.groth16.prove(key, circuit.witness);
    expect(proof).not.toEqual(first.proof);
    expect(publicSignals).toEqual(first.publicSignals);
  });

  it("proves from a circuit's inputs", async () => {
    const { proof, publicSignals } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, {
      verify: false,
    });
    expect(await accepted({ proof, publicSignals })).toBe(true);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals.with(1, '5'), proof)).toBe(false);
  });

  it('rejects a witness that does not satisfy the circuit', async () => {
    const wrong = circuit.witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    await expect(prover.groth16.prove(key, wrong)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    // The prover can tell a wrong witness from a wrong GPU.
    expect(prover.capabilities.backend).toBe(backend);
  });
}
