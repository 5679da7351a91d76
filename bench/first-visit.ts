import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { serveFolder } from '../scripts/lib/static-server.mjs';
import type { BackendChoice } from '../sdk/api/index.js';
import { joinBytes } from '../sdk/base/bytes.js';
import { memorySource } from '../sdk/files/byte-source.js';
import { packZkey } from '../sdk/files/packed/pack.js';
import { type BrowserName, openVisitingBrowser, type Profile } from './first-visit/browsers.js';
import { type VisitedCircuit, visitedCircuits } from './first-visit/circuits.js';
import type { Visit, VisitRequest } from './first-visit/visit.js';
import { ParallelMultiples, serveMultiples } from './gpu-proof/parallel-multiples.js';
import { loadSnarkjs, type Snarkjs } from './gpu-proof/snarkjs.js';
import { packingKernels } from './lib/kernel.js';
import { median } from './lib/measure.js';
import { numbersOption, textOption } from './lib/report.js';
import { serveAtRate } from './lib/slow-line.js';

/**
 * What a visitor of a page waits for, in a headless browser, on the workers or a GPU, with files served from the same
 * machine, with ETags and ranges as hosts of files have them: from the click, before any script of the prover is
 * loaded, to the first verified proof from inputs; the same on the next visit; a later proof; and what the first proof
 * alone, with key and circuit loaded, takes of a later one's time. Pippin with the .zkey and with the packed key, beside
 * snarkjs' page. Each run has a new profile, and snarkjs verifies each first proof.
 *
 * It needs a browser; on Debian root gets Firefox and WebKitGTK installed. The benchmark is one bundled file with the
 * folder of its name and the curve's WASM beside it; with Chromium it also runs on a bare machine with playwright-core.
 *
 * Options: `--browser chromium|firefox|webkit`, `--circuits 'chain|example'` (a pattern of names; all but the chain of
 * 2^18 by default), `--runs 3`, `--later 3`; of Pippin `--threads N`, `--backend wasm|webgpu|auto`, `--budget MIB`; of
 * Chromium's pages `--cores N`, the number of cores that they see.
 *
 * `--memory`, in Chromium, measures no times, but the most MiB that a page with its workers takes from the click to the
 * last later proof: as the browser says (`performance.measureUserAgentSpecificMemory`, asked again and again), and as
 * the resident set of the page's process.
 *
 * `--mbit N` measures Pippin's first visits with the key on a line of N Mbit/s, and of them what comes after its last
 * byte.
 */
const folder = new URL('./first-visit/', import.meta.url);
const pageFolder = new URL('page/', folder);

/** What lies beside the page for each circuit. */
const FILES = ['key.zkey', 'key.pzkey', 'circuit.wasm', 'vkey.json'] as const;

const CONTENDERS = [
  { name: 'pippin', prover: 'pippin', key: 'key.zkey' },
  { name: 'pippin, packed', prover: 'pippin', key: 'key.pzkey' },
  { name: 'snarkjs', prover: 'snarkjs', key: 'key.zkey' },
] as const;

/** What the columns are, by what is measured. */
const HEADS = {
  visits: ['first visit', 'next visit', 'later', "of snarkjs' time", 'first proof / later'],
  line: ['first visit', 'after last byte', 'later', 'after / later'],
  memory: ['by the browser', 'resident', "of snarkjs'"],
} as const;

if (!isMainThread) await serveMultiples(new URL('./bn254.wasm', import.meta.url));
else {
  await measure();
  // snarkjs does not end its workers, and they would keep the process alive.
  process.exit();
}

async function measure(): Promise<void> {
  const measuresMemory = process.argv.includes('--memory');
  const [mbit] = numbersOption('--mbit', []);
  const [cores] = numbersOption('--cores', []);
  const browser = await openVisitingBrowser((textOption('--browser') ?? 'chromium') as BrowserName, cores);
  const snarkjs = await loadSnarkjs(new URL('snarkjs.cjs', folder));
  const server = await serveFolder(fileURLToPath(pageFolder), { isolated: true, versioned: true });
  const date = new Date().toISOString().slice(0, 10);
  const unit = measuresMemory ? 'MiB at most' : 'ms, medians';
  const rate = mbit === undefined ? '' : `, key at ${mbit} Mbit/s`;
  console.log(`first visits in ${browser.name}, ${date}, ${unit}${rate}`);
  const measured = measuresMemory ? 'memory' : mbit === undefined ? 'visits' : 'line';
  const head = HEADS[measured].map((each) => each.padStart(18)).join('');
  console.log(`${'circuit'.padEnd(22)} ${'prover'.padEnd(16)} ${head}`);

  /** A visit in a new page of this profile; its proof is checked. */
  const visit = async (profile: Profile, request: VisitRequest, verificationKey: unknown): Promise<Visit> => {
    const seen = await profile.visit(server.url, request);
    if (await snarkjs.verify(verificationKey, seen.publicSignals, seen.proof)) return seen;
    throw new Error('expected a proof that snarkjs accepts, got one that it does not');
  };

  const wanted = new RegExp(textOption('--circuits') ?? '^(?!chain 2.18$)');
  const [budget] = numbersOption('--budget', []);
  const multiples = new ParallelMultiples(new URL(import.meta.url));
  for (const circuit of visitedCircuits(folder, wanted)) {
    const verificationKey = await writeFiles(circuit, multiples, snarkjs);
    const contenders = mbit === undefined ? CONTENDERS : CONTENDERS.filter(({ prover }) => prover === 'pippin');
    const rows = contenders.map((contender) => ({ ...contender, runs: [] as number[][] }));
    for (let run = 0; run < numbersOption('--runs', [3])[0]!; run++) {
      for (const { prover, key, runs } of rows) {
        const profile = await browser.openProfile();
        const line = mbit === undefined ? undefined : await serveAtRate(readFileSync(new URL(key, pageFolder)), mbit);
        const request = {
          prover,
          key: line?.url ?? key,
          inputs: circuit.inputs,
          backend: (textOption('--backend') ?? 'wasm') as BackendChoice,
          threads: numbersOption('--threads', [])[0],
          memoryBudget: budget && budget * 2 ** 20,
          later: numbersOption('--later', [3])[0]!,
          asksMemory: measuresMemory,
        };
        const { first, firstAt, firstProof, later, mostBytes } = await visit(profile, request, verificationKey);
        if (mostBytes !== undefined) runs.push([mostBytes / 2 ** 20, (await profile.resident()) ?? Number.NaN]);
        else {
          const second =
            line === undefined
              ? (await visit(profile, { ...request, later: 0 }, verificationKey)).first
              : firstAt - performance.timeOrigin - line.sentAt();
          runs.push([first, second, median(later), firstProof]);
        }
        line?.close();
        await profile.close();
      }
    }
    const medians = rows.map(({ runs }) => runs[0]!.map((_, column) => median(runs.map((run) => run[column]!))));
    for (const [i, { name }] of rows.entries()) {
      const figures = medians[i]!;
      const shown = figures.slice(0, 3).map((figure) => figure.toFixed(0));
      const cells = [...shown, ...quotients(measured, figures, medians.at(-1)!)];
      const label = (i === 0 ? circuit.label : '').padEnd(22);
      console.log(`${label} ${name.padEnd(16)} ${cells.map((cell) => cell.padStart(18)).join('')}`);
    }
  }
  await multiples.close();
  for (const name of FILES) rmSync(new URL(name, pageFolder), { force: true });
  await browser.close();
  await server.close();
}

/** A row's figures of snarkjs', and of a later proof's time. */
function quotients(measured: keyof typeof HEADS, figures: readonly number[], theirs: readonly number[]): string[] {
  const [, second, later, firstProof] = figures as [number, number, number, number];
  if (measured === 'line') return [(second / later).toFixed(2)];
  const shares = figures.slice(0, 3).map((figure, column) => (figure / theirs[column]!).toFixed(2));
  return measured === 'memory' ? [shares.join(' ')] : [shares.join(' '), (firstProof / later).toFixed(2)];
}

/** Puts the files of a circuit beside the page. Returns its verification key. */
async function writeFiles(circuit: VisitedCircuit, multiples: ParallelMultiples, snarkjs: Snarkjs): Promise<unknown> {
  const zkey = await circuit.zkey(multiples);
  const kernels = await packingKernels('bn254');
  const packing = { isCompressed: true, kernels, makeSha256: async () => createHash('sha256') };
  const packed = joinBytes(await packZkey(memorySource(zkey), packing));
  const verificationKey = await snarkjs.exportVerificationKey(zkey);
  const contents = [zkey, packed, circuit.wasm, JSON.stringify(verificationKey)];
  for (const [i, name] of FILES.entries()) writeFileSync(new URL(name, pageFolder), contents[i]!);
  return verificationKey;
}
