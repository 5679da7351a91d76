import { hasFusedLanes, wasmModulesOf } from '../sdk/executors/workers/kernel/wasm-module.js';
import { browserRows } from './cpu/browser.js';
import { constantWorkRows } from './cpu/constant-work.js';
import { downloadRows } from './cpu/download.js';
import { fieldRows } from './cpu/field.js';
import { firstCallRows } from './cpu/first-call.js';
import { msmRows } from './cpu/msm.js';
import { g2Rows } from './cpu/msm-g2.js';
import { nttRows } from './cpu/ntt.js';
import { readOptions } from './cpu/options.js';
import { Peers } from './cpu/peers/peers.js';
import { proofRows } from './cpu/proofs.js';
import { subgroupRows } from './cpu/subgroup.js';
import { BenchReport } from './lib/report.js';

/**
 * Compares Pippin's WASM on the CPU with other implementations: wasmcurves and ffjavascript (which snarkjs is built
 * on), snarkjs itself with its own workers, and montgomery. Reports milliseconds of wall time and of CPU time (user and
 * system), unless a row's name gives another unit. Contenders take turns. A wrong result ends the benchmark.
 *
 * Options: `--only 'MSM|proof chain'` measures only the rows whose names contain one of these parts; `--sizes 14,16,18`
 * are the logarithms of the sizes; `--runs 5` limits the rounds of a row (see `CpuOptions`); `--threads 2` is for each
 * contender; `--curves mnt4-753` names the curves whose multiplications in G1 are measured, instead of BN254, BLS12-377
 * and BLS12-381; `--precompute 4,8` also measures multiplications with so many multiples of each base; `--window-bits
 * 13` names the window of our prover's multiplications in G1; `--json FILE` also writes a file.
 */
const options = readOptions();
const report = new BenchReport(`WASM, ${options.threads} threads`);
const lanes = hasFusedLanes() ? 'relaxed SIMD with fused multiply-adds' : 'no relaxed SIMD with fused multiply-adds';
console.log(`${lanes}: BN254 uses ${wasmModulesOf('bn254', 'points').fastest}.wasm`);
const peers = new Peers(options.threads);
if ((await peers.montgomery()) === undefined) console.log('montgomery is not measured: its source was not found');

await fieldRows(options, report, peers);
await msmRows(options, report, peers);
await g2Rows(options, report, peers);
await subgroupRows(options, report);
await nttRows(options, report, peers);
await proofRows(options, report, peers);
await constantWorkRows(options, report, peers);
await peers.close();
await firstCallRows(options, report);
await browserRows(options, report);
downloadRows(options, report);
report.finish();
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
