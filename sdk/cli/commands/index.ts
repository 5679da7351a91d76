import type { Command } from '../command.js';
import { aliasCommand } from './alias.js';
import { benchCommand } from './bench.js';
import { cacheCommand } from './cache.js';
import { calldataCommand } from './calldata.js';
import { ceremonyCommand } from './ceremony.js';
import { completionCommand } from './completion.js';
import { doctorCommand } from './doctor.js';
import { infoCommand } from './info.js';
import { msmCommand } from './msm.js';
import { packCommand, unpackCommand } from './packing.js';
import { powersOfTauCommand } from './powers-of-tau.js';
import { fullproveCommand, proveCommand } from './prove.js';
import { tuneCommand } from './tune.js';
import { verifyCommand } from './verify.js';
import { vkeyCommand } from './vkey.js';
import { witnessCommand } from './witness.js';

const OTHERS = [
  proveCommand,
  fullproveCommand,
  witnessCommand,
  verifyCommand,
  infoCommand,
  vkeyCommand,
  packCommand,
  unpackCommand,
  ceremonyCommand,
  powersOfTauCommand,
  calldataCommand,
  doctorCommand,
  benchCommand,
  tuneCommand,
  cacheCommand,
  aliasCommand,
  msmCommand,
];

/** All commands. Help, completion and the parser know them from here, in this order. */
export const COMMANDS: readonly Command[] = [...OTHERS, completionCommand(OTHERS)];
