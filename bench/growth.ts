import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { serveFolder } from '../scripts/lib/static-server.mjs';
import type { BackendChoice, CircuitInputs, Precompute } from '../sdk/api/index.js';
import { type KeyedCircuit, provedCircuits, withKey } from './gpu-proof/circuits.js';
import { ParallelMultiples, serveMultiples } from './gpu-proof/parallel-multiples.js';
import { loadSnarkjs, type Snarkjs } from './gpu-proof/snarkjs.js';
import { type Visit, type VisitRequest, visitInPage } from './growth/visit.js';
import { launchChromium } from './lib/chromium.js';
import { median } from './lib/measure.js';
import { numbersOption, textOption } from './lib/report.js';

/**
 * Shows what multiples that grow in idle time bring a visitor of a page, in headless Chromium: the first, second and
 * last proof of a key with pauses between them, with and without multiples, and the same on the next visit, which finds
 * the key in the cache. Each case has a profile of its own. The key is that of the example. snarkjs checks every proof.
 *
 * The environment variable CHROMIUM names the browser, and CHROMIUM_GPU_FLAGS the flags, separated by spaces, with
 * which it uses the GPU; otherwise they are those of the tests. The package playwright-core must be installed. The
 * benchmark is one bundled file with the folder of its name and the curve's WASM beside it.
 *
 * Options: `--backends wasm,webgpu`, `--precompute 1,auto` (or numbers up to 32), `--proofs 10`, `--pause 2000`
 * (milliseconds), `--threads N`, `--sizes 14,16` (logarithms of chains that are proved as well), `--json FILE`.
 */
const folder = new URL('./growth/', import.meta.url);
const pageFolder = new URL('page/', folder);

if (!isMainThread) await serveMultiples(new URL('./bn254.wasm', import.meta.url));
else {
  await measure();
  // snarkjs does not end its workers, and they would keep the process alive.
  process.exit();
}

async function measure(): Promise<void> {
  const browser = await launchChromium();
  const snarkjs = await loadSnarkjs(new URL('snarkjs.cjs', folder));
  const server = await serveFolder(fileURLToPath(pageFolder), { isolated: true });
  console.log(`proofs in Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}, milliseconds`);
  const rows: object[] = [];

  /** A visit in a new page of this profile; the proofs are checked. */
  const visit = async (
    profile: Awaited<ReturnType<typeof browser.newContext>>,
    request: VisitRequest,
    verificationKey: unknown,
  ): Promise<Visit> => {
    const page = await profile.newPage();
    try {
      await page.goto(server.url);
      const seen = await page.evaluate(visitInPage, request);
      for (const { proof, publicSignals } of seen.proofs) {
        if (!(await snarkjs.verify(verificationKey, publicSignals, proof))) {
          throw new Error('expected proofs that snarkjs accepts, got one that it does not');
        }
      }
      return seen;
    } finally {
      await page.close();
    }
  };

  for (const [label, { zkey, witness }] of await keyedCircuits(snarkjs)) {
    const files = { 'key.zkey': zkey, 'witness.wtns': witness };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(new URL(name, pageFolder), bytes);
    const verificationKey = await snarkjs.exportVerificationKey(zkey);
    for (const { backend, precompute } of cases()) {
      const profile = await browser.newContext();
      const request: VisitRequest = {
        backend,
        precompute,
        threads: numbersOption('--threads', [])[0],
        proofs: numbersOption('--proofs', [10])[0]!,
        pauseMs: numbersOption('--pause', [2000])[0]!,
      };
      for (const name of ['first visit', 'next visit']) {
        const seen = await visit(profile, request, verificationKey);
        console.log(`${label}, ${backend} (${seen.executor}), precompute ${precompute}, ${name}: ${describe(seen)}`);
        const { proofs: _, ...figures } = seen;
        rows.push({ label, backend, precompute, visit: name, ...figures });
      }
      await profile.close();
    }
    for (const name of Object.keys(files)) rmSync(new URL(name, pageFolder));
  }
  const json = textOption('--json');
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 1)}\n`);
  await browser.close();
  await server.close();
}

/** The example and the chains that were asked for, by their names. */
async function keyedCircuits(snarkjs: Snarkjs): Promise<[label: string, KeyedCircuit][]> {
  const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`example/${name}`, folder)));
  const inputs = JSON.parse(new TextDecoder().decode(read('input.json'))) as CircuitInputs;
  const witness = await snarkjs.witnessOf(inputs, read('note.wasm'));
  const keyed: [string, KeyedCircuit][] = [['example', { zkey: read('note.zkey'), witness }]];
  const chains = provedCircuits(folder, numbersOption('--sizes', []));
  if (chains.length === 0) return keyed;
  const multiples = new ParallelMultiples(new URL(import.meta.url));
  for (const chain of chains) keyed.push([chain.label, await withKey(chain, multiples)]);
  await multiples.close();
  return keyed;
}

function cases(): { backend: BackendChoice; precompute: Precompute }[] {
  const backends = (textOption('--backends') ?? 'wasm,webgpu').split(',') as BackendChoice[];
  const all = (textOption('--precompute') ?? '1,auto')
    .split(',')
    .map((each) => (each === 'auto' ? each : Number(each)));
  return backends.flatMap((backend) => all.map((precompute) => ({ backend, precompute })));
}

function describe({ load, cached, times, grown, notices }: Visit): string {
  const [first, second, last] = [times[0], times[1], times.at(-1)].map((each) => each?.toFixed(0) ?? '-');
  const later = median(times.slice(times.length >> 1)).toFixed(0);
  const growth = grown === undefined ? '' : `; multiples after proof ${grown.after} (${grown.message})`;
  const told = notices.length === 0 ? '' : `; ${notices.join('; ')}`;
  const origin = cached ? 'cached' : 'prepared';
  return `load ${load.toFixed(0)} (${origin}), proofs: first ${first}, second ${second}, last of ${times.length} ${last}, median of the second half ${later}${growth}${told}`;
}
