import { createHash } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Prover } from '../sdk/api/index.js';
import { joinBytes } from '../sdk/base/bytes.js';
import { memorySource } from '../sdk/files/byte-source.js';
import { METHOD, readHeader } from '../sdk/files/packed/header.js';
import { packZkey } from '../sdk/files/packed/pack.js';
import { provedCircuits, withKey } from './gpu-proof/circuits.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { ParallelMultiples, serveMultiples } from './gpu-proof/parallel-multiples.js';
import { packingKernels } from './lib/kernel.js';
import { median } from './lib/measure.js';
import { numbersOption, textOption } from './lib/report.js';
import { serveAtRate } from './lib/slow-line.js';
import { gpuRoots } from './pack/gpu-roots.js';

/**
 * Keys as `pippin pack` writes them: their bytes beside the .zkey's, plain and by gzip; how fast they are unpacked; and
 * a first visit, from the call of `loadKey` with a URL to the first verified proof, on a line of so many Mbit/s, beside
 * the same .zkey with `Content-Encoding: gzip` and without; with the backend `webgpu` also the square roots of the GPU
 * alone. The benchmark is one bundled file with the folder of its name beside it, and runs on a bare machine; there
 * WEBGPU_PATH names Dawn's entry module, if Dawn is not installed as a package.
 *
 * Options: `--sizes 14,16` are the logarithms of chains, `--circuits 'chain|SHA'` (a pattern of names), `--runs 3`,
 * `--threads 2`, `--mbit 20,100`, `--backend wasm`.
 */
const folder = new URL('./pack/', import.meta.url);
const runs = numbersOption('--runs', [3])[0]!;
const threads = numbersOption('--threads', [2])[0]!;
const backend = (textOption('--backend') ?? 'wasm') as 'wasm' | 'webgpu';

interface Files {
  readonly zkey: Uint8Array;
  readonly gzip: Uint8Array;
  readonly packed: Uint8Array;
  readonly witness: Uint8Array;
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(2).padStart(7);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`.padStart(8);
const ms = (values: readonly number[]): string => median(values).toFixed(0).padStart(7);

if (isMainThread) {
  await measure();
  // Servers may have connections that nobody closes.
  process.exit();
} else await serveMultiples(new URL('./bn254.wasm', import.meta.url));

async function measure(): Promise<void> {
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const open = (): Promise<Prover> => createProver({ backend, threads, cache: false });
  console.log(
    `packed keys, BN254, ${backend}, ${threads} threads, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`,
  );
  const keys = await makeKeys();
  await sizes(keys);
  await unpacking(keys, open);
  for (const mbit of numbersOption('--mbit', [20, 100])) await visits(keys, open, mbit);
  // Last, since it opens the GPU in this process, which the prover has done in a thread of it.
  if (backend === 'webgpu') await gpuRoots([...keys.values()].at(-1)!.packed);
}

async function makeKeys(): Promise<Map<string, Files>> {
  const wanted = new RegExp(textOption('--circuits') ?? '');
  const multiples = new ParallelMultiples(new URL(import.meta.url));
  const kernels = await packingKernels('bn254');
  const makeSha256 = async () => createHash('sha256');
  const keys = new Map<string, Files>();
  for (const circuit of provedCircuits(folder, numbersOption('--sizes', [14, 16]))) {
    if (!wanted.test(circuit.label)) continue;
    const { zkey, witness } = await withKey(circuit, multiples);
    const packed = joinBytes(await packZkey(memorySource(zkey), { isCompressed: true, kernels, makeSha256 }));
    keys.set(circuit.label, { zkey, gzip: new Uint8Array(gzipSync(zkey)), packed, witness });
  }
  await multiples.close();
  return keys;
}

async function sizes(keys: ReadonlyMap<string, Files>): Promise<void> {
  console.log(`\n${'MB'.padEnd(22)}   .zkey    gzip  packed  of .zkey  of gzip  coefficients alone`);
  for (const [label, { zkey, gzip, packed }] of keys) {
    const { sections } = (await readHeader(memorySource(packed))).header;
    const rows = sections.find(({ method }) => method === METHOD.coefficients)!;
    const all = [zkey, gzip, packed].map(({ length }) => mb(length)).join(' ');
    const shares = [percent(packed.length, zkey.length), percent(packed.length, gzip.length)].join(' ');
    console.log(`${label.padEnd(22)} ${all}  ${shares}  ${percent(rows.packed, rows.size)}`);
  }
}

async function unpacking(keys: ReadonlyMap<string, Files>, open: () => Promise<Prover>): Promise<void> {
  console.log(`\n${'loadKey, ms'.padEnd(22)}   .zkey  packed  MB of packed bytes a second, of the difference`);
  for (const [label, { zkey, packed }] of keys) {
    const times = { zkey: [] as number[], packed: [] as number[] };
    const prover = await open();
    // The first load compiles.
    for (let run = -1; run < runs; run++) {
      for (const kind of ['zkey', 'packed'] as const) {
        const bytes = kind === 'zkey' ? zkey : packed;
        const start = performance.now();
        const key = await prover.groth16.loadKey(bytes);
        if (run >= 0) times[kind].push(performance.now() - start);
        await key.dispose();
      }
    }
    await prover.dispose();
    const seconds = (median(times.packed) - median(times.zkey)) / 1000;
    console.log(
      `${label.padEnd(22)} ${ms(times.zkey)} ${ms(times.packed)}  ${(packed.length / 1e6 / seconds).toFixed(1)}`,
    );
  }
}

async function visits(keys: ReadonlyMap<string, Files>, open: () => Promise<Prover>, mbit: number): Promise<void> {
  console.log(
    `\n${`ms, ${mbit} Mbit/s`.padEnd(22)} ${'file'.padEnd(8)} download  to first proof     later  quotient  first visit  ratio`,
  );
  for (const [label, files] of keys) {
    let ours: number | undefined;
    for (const kind of ['packed', 'zkey', 'gzip'] as const) {
      const all: Visit[] = [];
      for (let run = 0; run < runs; run++) all.push(await visit(files, kind, mbit, open));
      const of = (figure: keyof Visit): number => median(all.map((each) => each[figure]));
      ours ??= of('whole');
      const figures = [of('download'), of('toProof'), of('later')].map((value) => value.toFixed(0).padStart(8));
      const quotient = (of('toProof') / of('later')).toFixed(2).padStart(8);
      const whole = of('whole').toFixed(0).padStart(11);
      const name = (kind === 'packed' ? label : '').padEnd(22);
      console.log(
        `${name} ${kind.padEnd(8)} ${figures[0]} ${figures[1]!.padStart(15)}  ${figures[2]}  ${quotient}  ${whole}  ${(of('whole') / ours).toFixed(2)}`,
      );
    }
  }
}

/** Milliseconds of a first visit. */
interface Visit {
  /** From the call of `loadKey` to the first verified proof. */
  readonly whole: number;
  /** Until the server has sent the last byte, and from then on to the proof. */
  readonly download: number;
  readonly toProof: number;
  /** The median of later proofs. */
  readonly later: number;
}

async function visit(
  files: Files,
  kind: 'zkey' | 'gzip' | 'packed',
  mbit: number,
  open: () => Promise<Prover>,
): Promise<Visit> {
  const line = await serveAtRate(files[kind], mbit, kind === 'gzip' ? { 'content-encoding': 'gzip' } : {});
  const prover = await open();
  try {
    const start = performance.now();
    const key = await prover.groth16.loadKey(line.url);
    await prover.groth16.prove(key, files.witness.slice());
    const end = performance.now();
    const proofs: number[] = [];
    for (let i = 0; i < 5; i++) {
      const begin = performance.now();
      await prover.groth16.prove(key, files.witness.slice());
      proofs.push(performance.now() - begin);
    }
    const sent = line.sentAt();
    return { whole: end - start, download: sent - start, toProof: end - sent, later: median(proofs.slice(1)) };
  } finally {
    await prover.dispose();
    line.close();
  }
}
