import { hasFusedLanes, wasmModuleOf } from '../sdk/cpu/kernel/fused-lanes.js';
import { browserRows } from './cpu/browser.js';
import { downloadRows } from './cpu/download.js';
import { fieldRows } from './cpu/field.js';
import { firstCallRows } from './cpu/first-call.js';
import { msmRows } from './cpu/msm.js';
import { g2Rows } from './cpu/msm-g2.js';
import { nttRows } from './cpu/ntt.js';
import { readOptions } from './cpu/options.js';
import { Peers } from './cpu/peers/peers.js';
import { proofRows } from './cpu/proofs.js';
import { BenchReport } from './lib/report.js';

/**
 * Measures WASM on the machine's cores beside its peers: wasmcurves and ffjavascript (what snarkjs runs), snarkjs with its own workers, and
 * montgomery. Gives milliseconds of wall time and of CPU time (user and system). Contenders take turns, and every result is checked
 * before its time counts.
 *
 * Options: `--only 'MSM|proof chain'` measures the rows whose names have one of these parts, `--sizes 14,16,18`, `--runs 5` rounds at most,
 * `--threads 2` for each contender, `--json FILE`.
 */
const options = readOptions();
const report = new BenchReport(`WASM, ${options.threads} threads`);
const lanes = hasFusedLanes() ? 'fused lanes are here' : 'no relaxed SIMD that fuses';
console.log(`${lanes}: BN254 runs ${wasmModuleOf('bn254')}.wasm`);
const peers = new Peers(options.threads);
if ((await peers.montgomery()) === undefined) console.log('montgomery is left out: its source is not here');

await fieldRows(options, report, peers);
await msmRows(options, report, peers);
await g2Rows(options, report, peers);
await nttRows(options, report, peers);
await proofRows(options, report, peers);
await peers.close();
await firstCallRows(options, report);
await browserRows(options, report);
downloadRows(options, report);
report.finish();
// snarkjs does not end its workers, which would keep the process alive.
process.exit();
