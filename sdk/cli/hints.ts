import { PippinError, type PippinErrorCode } from '../errors.js';

/** Options as the SDK's hints name them, and what they are called here. */
const FLAGS: readonly (readonly [option: RegExp, flag: string])[] = [
  [/\bwitnessTimeout\b/g, '--witness-timeout'],
  [/\bwitnessMemory\b/g, '--witness-memory'],
  [/\ballowUnfinished: true\b/g, '--allow-unfinished'],
  [/\buse the wasm backend\b/g, 'use --backend wasm'],
  [/\bask for the backend 'webgpu'/g, 'ask for it with --backend webgpu'],
];

/** What one can do about errors for which the SDK, which does not know the command line, has nothing to suggest: the first that fits. */
const HINTS: readonly (readonly [code: PippinErrorCode, message: RegExp, hint: string])[] = [
  ['MALFORMED_FILE', /zkey|wtns|r1cs|section/, 'pippin info FILE tells what a .zkey, .wtns or .r1cs holds'],
  ['UNSUPPORTED_FORMAT', /zkey|wtns|r1cs|groth16 key/, 'pippin info FILE tells what a .zkey, .wtns or .r1cs holds'],
  ['CURVE_MISMATCH', /key|witness|circuit/, 'the files must be of one circuit: pippin info FILE tells their curves'],
  ['INVALID_LENGTH', /key|witness|circuit/, 'the files must be of one circuit: pippin info FILE tells their sizes'],
  ['WEBGPU_UNAVAILABLE', /./, 'pippin doctor tells more; --backend wasm does without a GPU'],
  ['DEVICE_LOST', /./, '--backend wasm does without a GPU'],
  ['OUT_OF_MEMORY', /./, 'fewer --threads take less memory'],
  ['IO_FAILED', /ENOENT/, `there is no such file or folder; relative paths begin at ${process.cwd()}`],
  ['IO_FAILED', /EACCES|EPERM/, 'its mode does not let you: ls -l tells'],
  ['IO_FAILED', /EISDIR/, 'this is a folder: name a file in it'],
  ['IO_FAILED', /ENOSPC/, 'the disk is full'],
  ['INTERNAL', /./, 'this is a fault of Pippin: please report it, with what pippin doctor --json prints'],
];

/** The error with a hint in the words of the command line, if there is one. */
export function withHint(error: PippinError): PippinError {
  const { code, message, cause } = error;
  const hint = error.hint === undefined ? ownHint(error) : inFlags(error.hint);
  return hint === error.hint || hint === undefined ? error : new PippinError(code, message, { cause, hint });
}

function ownHint(error: PippinError): string | undefined {
  return HINTS.find(([code, message]) => code === error.code && message.test(error.message))?.[2];
}

function inFlags(hint: string): string {
  return FLAGS.reduce((text, [option, flag]) => text.replaceAll(option, flag), hint);
}
