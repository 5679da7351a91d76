import type { Accumulation, MsmTuning, Prover, Report } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { CURVES, hasGpuKernels } from '../../sdk/curves/index.js';
import { productKinds } from '../../sdk/executors/gpu/msm/product-forms.js';
import { type KnownPoint, KnownPoints } from '../../tests/campaigns/known-points.js';
import { NOBLE_GROUPS, type NobleGroup } from '../../tests/support/noble-groups.js';
import { scalarsToBytes } from '../../tests/support/scalar-bytes.js';
import { adversarialScalars } from '../../tests/support/scalars.js';

/**
 * The page of `npm run test:firefox-gpu`: what is checked on its GPU, each check by its name. `/dist/` is the built
 * package, `/circuits/` the tests' circuits, `/key/` the example's.
 */

/** Points of an MSM: no power of two, and more than a workgroup has threads. */
const COUNT = 300;
/** The greatest factor of a line of known points. */
const LINE = 64;
/** The WGSL feature that products of bytes need. */
const BYTE_PRODUCTS = 'packed_4x8_integer_dot_product';
const BEACON = { hash: '0x0102', iterations: 10 };

const { createProver }: typeof import('../../sdk/index.js') = await import(`${location.origin}/dist/index.js`);
const ceremony: typeof import('../../sdk/ceremony.js') = await import(`${location.origin}/dist/ceremony.js`);

/** What both provers had to say since the last check. */
const notices: Notice[] = [];
const onNotice = (notice: Notice): void => void notices.push(notice);
const workers = await createProver({ backend: 'wasm', cache: false, onNotice });
let gpu: Prover;

function expect(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new Error(`expected ${expectation}`);
}

/** Every MSM must be the GPU's alone, and nobody may have anything to say but that the adapter is slow. */
function expectOnGpu({ backend, executors, notices: ofCall }: Report): void {
  const told = [...notices, ...ofCall].filter(({ code }) => code !== 'WEBGPU_SOFTWARE');
  expect(told.length === 0, `no notice, got ${JSON.stringify(told)}`);
  const parts = Object.entries(executors);
  const isOnGpu = backend === 'webgpu' && parts.length > 0 && parts.every(([, who]) => `${who}` === 'webgpu');
  expect(isOnGpu, `every MSM on the GPU, got ${backend} ${JSON.stringify(executors)}`);
}

/** Equal points, opposite ones, P, Q and P + Q, infinity, and different ones, in turn over the bases. */
function adversarialPoints(known: KnownPoints): KnownPoint[] {
  return Array.from({ length: COUNT }, (_, i) => {
    if (i < 60) return known.on(1, 5);
    if (i < 120) return known.on(1, i % 2 === 0 ? 7 : -7);
    if (i < 180) return known.on(2, [3, 8, i % 2 === 0 ? 11 : -11][i % 3]!);
    if (i < 210) return i % 3 === 0 ? known.infinity() : known.on(0, i - 195);
    return known.at(i);
  });
}

/** Batches over adversarial points: the GPU's against the workers' and the known logarithms. */
async function checkMsms(noble: NobleGroup, accumulation: NonNullable<MsmTuning['accumulation']>): Promise<void> {
  const { curve, group, order, isMultiple } = noble;
  const known = new KnownPoints(noble, LINE);
  const bases = adversarialPoints(known);
  const request = { curve, group, points: known.bytesOf(bases, 'canonical') };
  const vectors = Object.entries(adversarialScalars(COUNT, order));
  const scalars = scalarsToBytes(
    vectors.flatMap(([, values]) => values),
    CURVES[curve].scalarBytes,
  );
  const [onGpu, onWorkers] = await Promise.all([gpu.loadBases(request), workers.loadBases(request)]);
  try {
    const options = { batchSize: vectors.length, tuning: { accumulation } };
    const { points, report } = await gpu.msmBatch(onGpu, scalars, options);
    const expected = (await workers.msmBatch(onWorkers, scalars, options)).points;
    expectOnGpu(report);
    for (const [i, [name, values]] of vectors.entries()) {
      const log = values.reduce((sum, value, k) => sum + value * bases[k]!.log, 0n);
      expect(`${points[i]!.bytes}` === `${expected[i]!.bytes}`, `the workers' MSM for scalars: ${name}`);
      expect(isMultiple(points[i]!, log), `the MSM of the known logarithms for scalars: ${name}`);
    }
  } finally {
    await Promise.all([onGpu.dispose(), onWorkers.dispose()]);
  }
}

type ProofSystem = 'groth16' | 'plonk' | 'fflonk';

/** A proof by the GPU, which the workers' prover and a changed public signal judge. */
async function checkProof(system: ProofSystem, files: Record<'key' | 'wasm' | 'vkey', string>, inputs: object) {
  // The methods of all systems have one form; their types differ.
  const [prover, judge] = [gpu[system], workers[system]] as unknown as Prover['groth16'][];
  const key = await prover!.loadKey(files.key);
  try {
    const { proof, publicSignals, report } = await prover!.fullProve(key, inputs as never, files.wasm);
    expectOnGpu(report);
    const transforms = report.timeline.filter(({ phase }) => phase === 'transform').map(({ executor }) => executor);
    const isOnGpu = transforms.length > 0 && transforms.every((who) => who === 'webgpu');
    expect(isOnGpu, `the polynomials on the GPU, got ${JSON.stringify(transforms)}`);
    const verificationKey = await (await fetch(files.vkey)).json();
    expect(await judge!.verify(verificationKey, publicSignals, proof), 'the workers to accept the proof');
    const changed = [`${BigInt(publicSignals[0]!) ^ 1n}`, ...publicSignals.slice(1)];
    expect(!(await judge!.verify(verificationKey, changed, proof)), 'a changed public signal to be refused');
  } finally {
    await key.dispose();
  }
}

function checkChain(system: ProofSystem, folder = ''): () => Promise<void> {
  const stem = `/circuits/${folder}chain`;
  const ofSystem = system === 'groth16' ? stem : `${stem}.${system}`;
  const files = { key: `${ofSystem}.zkey`, wasm: `${stem}.wasm`, vkey: `${ofSystem}.vkey.json` };
  return () => checkProof(system, files, { start: '12345678901234567890', factor: '-3', offset: '0x1f' });
}

async function checkExample(): Promise<void> {
  const files = { key: '/key/note.zkey', wasm: '/key/note.wasm', vkey: '/key/note.vkey.json' };
  await checkProof('groth16', files, await (await fetch('/key/input.json')).json());
}

/** A beacon's contribution has no secret, so that both must write the same bytes. */
async function checkCeremony(): Promise<void> {
  const zkey = await (await fetch('/circuits/chain.zkey')).blob();
  const [made, expected] = await Promise.all(
    (['webgpu', 'wasm'] as const).map((backend) => ceremony.beacon(zkey, { ...BEACON, backend })),
  );
  expect(made!.backend === 'webgpu', `points multiplied by the GPU, got ${made!.backend}`);
  const [bytes, wanted] = await Promise.all([made!, expected!].map(async (key) => bytesOf(key.zkey!)));
  expect(bytes === wanted, "the workers' bytes");
}

async function bytesOf(blob: Blob): Promise<string> {
  return `${new Uint8Array(await blob.arrayBuffer())}`;
}

/** The kinds of product that additions over a group have on this device. */
function productsOver({ curve, group }: NobleGroup): readonly Accumulation[] {
  const hasBytes = navigator.gpu?.wgslLanguageFeatures?.has(BYTE_PRODUCTS) ?? false;
  return productKinds(CURVES[curve].fq.bits, group).filter((kind) => kind !== 'bytes' || hasBytes);
}

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  ...Object.fromEntries(
    NOBLE_GROUPS.filter(({ curve }) => hasGpuKernels(curve)).flatMap((noble) =>
      productsOver(noble).map((by) => [
        `MSMs, ${CURVES[noble.curve].name} ${noble.group.toUpperCase()}, by ${by}`,
        () => checkMsms(noble, by),
      ]),
    ),
  ),
  'Groth16, chain over BN254': checkChain('groth16'),
  'Groth16, chain over BLS12-381': checkChain('groth16', 'bls12381/'),
  'Groth16, the example page': checkExample,
  'PLONK, chain over BN254': checkChain('plonk'),
  'PLONK, chain over BLS12-381': checkChain('plonk', 'bls12381/'),
  'FFLONK, chain over BN254': checkChain('fflonk'),
  'a contribution to a key': checkCeremony,
};

/** An error with all of its causes: what the GPU itself said is the innermost. */
function describe(error: unknown): string {
  const { name, code, message, cause } = error as Error & { readonly code?: string };
  const own = `${code ?? name}: ${message}`;
  return cause === undefined ? own : `${own}\n  because ${describe(cause)}`;
}

/** For the driver. */
const driven = {
  names: Object.keys(CHECKS),
  /** Opens the GPU; what it is, or why there is none. */
  open: async (): Promise<unknown> => {
    gpu = await createProver({ backend: 'webgpu', cache: false, onNotice });
    return gpu.capabilities.webgpu;
  },
  /** Undefined, or what was wrong. */
  run: async (name: string): Promise<string | undefined> => {
    notices.length = 0;
    try {
      await CHECKS[name]!();
      return undefined;
    } catch (error) {
      return [describe(error), ...notices.map(({ code, message }) => `notice ${code}: ${message}`)].join('\n');
    }
  },
};
export type Driven = typeof driven;
Object.assign(globalThis, { driven });
