import type { Bases, Groth16Key, Prover, ProverOptions } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';

/**
 * Functions that run in the page. Each is sent there as source text, so it must not use anything that is declared
 * outside of it.
 */

/** The forms of points modules that are compared. */
export const FORMS = ['fma', 'wide'] as const;
export type Form = (typeof FORMS)[number];

export interface MsmRequest {
  readonly curve: CurveId;
  readonly threads: number;
  /** Addresses of the points and of the scalars. */
  readonly points: string;
  readonly scalars: string;
  readonly runs: number;
}

export interface ProofRequest {
  readonly threads: number;
  readonly zkey: string;
  readonly witness: string;
  readonly runs: number;
}

/** By form: the affine sum in bytes, and the milliseconds of each run after the first two. */
export type MsmTimes = Record<Form, { readonly point: readonly number[]; readonly ms: readonly number[] }>;
export type ProofTimes = Record<
  Form,
  { readonly proof: unknown; readonly publicSignals: readonly string[]; readonly ms: readonly number[] }
>;

/** Computes an MSM by provers of each form in turns. */
export async function multiplyInPage({ curve, threads, points, scalars, runs }: MsmRequest): Promise<MsmTimes> {
  const script = new URL('./index.js', document.baseURI).href;
  const { createProver } = (await import(script)) as { createProver(options: ProverOptions): Promise<Prover> };
  const bytes = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const [given, numbers] = [await bytes(points), await bytes(scalars)];
  const opened: { form: Form; prover: Prover; bases: Bases; point: number[]; ms: number[] }[] = [];
  for (const form of ['fma', 'wide'] as const) {
    const url = new URL(`./${curve}-${form}.wasm`, document.baseURI);
    const assets = { wasm: { [`${curve}-fma`]: url, [`${curve}-wide`]: url } };
    const prover = await createProver({ backend: 'wasm', threads, cache: false, assets });
    opened.push({ form, prover, bases: await prover.loadBases({ curve, points: given }), point: [], ms: [] });
  }
  for (let run = -2; run < runs; run++) {
    for (const contender of opened) {
      const began = performance.now();
      const { bytes: point } = await contender.prover.msm(contender.bases, numbers);
      if (run >= 0) contender.ms.push(performance.now() - began);
      contender.point = [...point];
    }
  }
  for (const { prover } of opened) await prover.dispose();
  return Object.fromEntries(opened.map(({ form, point, ms }) => [form, { point, ms }])) as unknown as MsmTimes;
}

/** Makes Groth16 proofs over BN254 by provers of each form in turns. */
export async function proveInPage({ threads, zkey, witness, runs }: ProofRequest): Promise<ProofTimes> {
  const script = new URL('./index.js', document.baseURI).href;
  const { createProver } = (await import(script)) as { createProver(options: ProverOptions): Promise<Prover> };
  const bytes = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const [given, values] = [await bytes(zkey), await bytes(witness)];
  const opened: { form: Form; prover: Prover; key: Groth16Key; proved: unknown; ms: number[] }[] = [];
  for (const form of ['fma', 'wide'] as const) {
    const url = new URL(`./bn254-${form}.wasm`, document.baseURI);
    const assets = { wasm: { 'bn254-fma': url, 'bn254-wide': url } };
    const prover = await createProver({ backend: 'wasm', threads, cache: false, assets });
    opened.push({ form, prover, key: await prover.groth16.loadKey(given), proved: undefined, ms: [] });
  }
  for (let run = -2; run < runs; run++) {
    for (const contender of opened) {
      const began = performance.now();
      const { proof, publicSignals } = await contender.prover.groth16.prove(contender.key, values, { verify: false });
      if (run >= 0) contender.ms.push(performance.now() - began);
      contender.proved = { proof, publicSignals };
    }
  }
  for (const { prover } of opened) await prover.dispose();
  return Object.fromEntries(
    opened.map(({ form, proved, ms }) => [form, { ...(proved as object), ms }]),
  ) as unknown as ProofTimes;
}
