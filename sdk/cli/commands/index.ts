import type { Command } from '../command.js';
import { bench } from './bench.js';
import { cache } from './cache.js';
import { calldata } from './calldata.js';
import { completionOf } from './completion.js';
import { doctor } from './doctor.js';
import { fullprove } from './fullprove.js';
import { info } from './info.js';
import { msm } from './msm.js';
import { prove } from './prove.js';
import { tune } from './tune.js';
import { verify } from './verify.js';
import { vkey } from './vkey.js';
import { witness } from './witness.js';

const OTHERS = [prove, fullprove, witness, verify, info, vkey, calldata, doctor, bench, tune, cache, msm];

/** All commands. Help, completion and the parser know them from here, in this order. */
export const COMMANDS: readonly Command[] = [...OTHERS, completionOf(OTHERS)];
