import { isMainThread } from 'node:worker_threads';
import type { Report } from '../sdk/api/index.js';
import { ChromiumLab } from './gpu-proof/chromium.js';
import { provedCircuits, withKey } from './gpu-proof/circuits.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { DEFAULT_LIMITS } from './gpu-proof/default-limits.js';
import { FIRST_PROOF, firstProof, serveFirstProof } from './gpu-proof/first-proof.js';
import { laterProofs, type NamedProver } from './gpu-proof/later-proofs.js';
import { proofsByBudget, USUAL_BUDGETS } from './gpu-proof/memory.js';
import { ParallelMultiples, serveMultiples } from './gpu-proof/parallel-multiples.js';
import { loadSnarkjs } from './gpu-proof/snarkjs.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * Measures whole Groth16 proofs over BN254 with a GPU, with the workers alone and with snarkjs: milliseconds from a
 * witness in memory to a verified proof, of loaded keys ("later") and of fresh processes ("first"). snarkjs does not
 * verify. It makes its keys itself, and every proof is checked by snarkjs. The benchmark is one bundled file with the
 * folder of its name beside it, and runs on a bare machine; there WEBGPU_PATH names Dawn's entry module, if Dawn is not
 * installed as a package.
 *
 * With `--chromium` it times later proofs in a page of headless Chromium, too (`ChromiumLab`), which needs the package
 * playwright-core.
 *
 * With `--memory` it measures memory instead: what buffers take on the GPU at most, and how long a later proof takes,
 * by memory budget (`--budgets 0,1024,512,256,64`, in MiB, 0 for none).
 *
 * Options: `--sizes 14,16` are the logarithms of the chains, `--runs 5`, `--snarkjs-runs 1` (0 leaves it out),
 * `--threads 16` of the workers, `--default-limits` (what every device with WebGPU has), `--only 'later|first'`,
 * `--circuits 'chain|SHA'` (a pattern of their names), `--constant-work` (later proofs with this option besides),
 * `--json FILE`.
 */
const folder = new URL('./gpu-proof/', import.meta.url);

if (!isMainThread) await serveMultiples(new URL('./bn254.wasm', import.meta.url));
else if (process.argv[2] === FIRST_PROOF) {
  await serveFirstProof(await bundledCreateProver(new URL('sdk/node.js', folder)), process.argv[3]!);
  process.exit();
} else {
  await measure();
  // snarkjs does not end its workers, and they would keep the process alive.
  process.exit();
}

async function measure(): Promise<void> {
  const [runs, snarkjsRuns] = [numbersOption('--runs', [5])[0]!, numbersOption('--snarkjs-runs', [1])[0]!];
  const threads = numbersOption('--threads', [])[0];
  const only = textOption('--only')?.split('|') ?? ['later', 'first'];
  if (process.argv.includes('--default-limits')) process.env[DEFAULT_LIMITS] = '1';
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const options = { cache: false, ...(threads === undefined ? {} : { threads }) };
  const provers: NamedProver[] = [
    { name: 'webgpu', prover: await createProver({ ...options, backend: 'webgpu' }) },
    { name: 'workers', prover: await createProver({ ...options, backend: 'wasm' }) },
  ];
  if (process.argv.includes('--constant-work')) {
    const constant = { constantWork: true };
    provers.push(...provers.map(({ name, prover }) => ({ name: `${name}, constant work`, prover, options: constant })));
  }
  const { webgpu, threads: workers } = provers[0]!.prover.capabilities;
  const gpu = webgpu.available ? `${webgpu.vendor} ${webgpu.architecture} ${webgpu.description}` : '';
  const report = new BenchReport(`Groth16 proofs, ${workers} workers, ${gpu.trim()}`);
  const measuresMemory = process.argv.includes('--memory');
  // Whoever uses Dawn tells how much it holds: nobody else may be there then.
  if (measuresMemory) await Promise.all(provers.map(({ prover }) => prover.dispose()));
  const snarkjs = await loadSnarkjs(new URL('snarkjs.cjs', folder));
  const multiples = new ParallelMultiples(new URL(import.meta.url));
  const chromium = process.argv.includes('--chromium') ? await ChromiumLab.open(new URL('page/', folder)) : undefined;
  if (chromium !== undefined) console.log(`with Chromium ${chromium.version}`);
  const wanted = new RegExp(textOption('--circuits') ?? '');
  for (const circuit of provedCircuits(folder, numbersOption('--sizes', [14, 16]))) {
    if (!wanted.test(circuit.label)) continue;
    const began = performance.now();
    const keyed = await withKey(circuit, multiples);
    console.log(`${circuit.label}: ${keyed.constraints} constraints, key made in ${ms(performance.now() - began)} ms`);
    if (measuresMemory) {
      await proofsByBudget(keyed, createProver, numbersOption('--budgets', USUAL_BUDGETS), runs, snarkjs);
      continue;
    }
    if (only.includes('later')) {
      const { measurements, last, gpuBytes } = await laterProofs(keyed, provers, snarkjs, runs, snarkjsRuns);
      report.add(`later ${circuit.label}`, measurements);
      console.log(`  ${(gpuBytes / 1e6).toFixed(0)} MB in buffers on the GPU`);
      for (const [name, result] of last) console.log(`  ${name}: ${phases(result.report)}`);
      if (chromium !== undefined) {
        const inPage = await chromium.laterProofs(keyed, snarkjs, runs);
        report.add(`Chromium ${circuit.label}`, [measurements[0]!, inPage.measurement]);
        console.log(`  in Chromium: ${phases(inPage.last.report)}`);
      }
    }
    if (!only.includes('first')) continue;
    for (const backend of ['auto', 'webgpu', 'wasm'] as const) {
      for (const cold of backend === 'wasm' ? [false] : [true, false]) {
        const { create, load, first, second, secondBackend } = firstProof(keyed, backend, cold, Math.min(runs, 3));
        const kernels = backend === 'wasm' ? '' : cold ? ', no kernels in the driver' : ', kernels in the driver';
        const steps = `prover ${ms(create)}, key ${ms(load)}, proof ${ms(first)}, next ${ms(second)} (${secondBackend})`;
        console.log(`  first, ${backend}${kernels}: ${ms(create + load + first)} ms = ${steps}`);
      }
    }
  }
  await chromium?.close();
  await multiples.close();
  report.finish();
}

/** The phases of a proof in the order in which they began, from when to when. */
function phases({ timeline }: Report): string {
  const spans = timeline.map(({ phase, part, executor, start, end }) => {
    const what = part === undefined ? phase : `${phase} ${part}`;
    return `${what} ${ms(start)}-${ms(end)}${executor === 'webgpu' ? ' gpu' : ''}`;
  });
  return spans.join(', ');
}

function ms(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}
