import { PippinError, type PippinErrorCode, USUAL_HINTS } from '../base/errors.js';

/**
 * The SDK's calls and options as its hints name them, and their counterparts on the command line; replaced in this
 * order.
 */
const WORDS: readonly (readonly [ofSdk: RegExp, ofCli: string])[] = [
  [/\bwitnessTimeout\b/g, '--witness-timeout'],
  [/\bwitnessMemory\b/g, '--witness-memory'],
  [/\bmaxBytes\b/g, '--max-bytes'],
  [/\bmaxBeaconIterations\b/g, '--max-beacon-iterations'],
  [/\ballowUnfinished: true\b/g, '--allow-unfinished'],
  [/\bask for the backend 'webgpu'/g, 'ask for it with --backend webgpu'],
  [/\bleave accumulation out, or choose 'limbs'/g, 'leave --accumulation out, or choose limbs'],
  [/(\brelease other bases, or )?\bgive a (larger|smaller) memoryBudget\b.*/g, 'use --backend wasm'],
  [
    /\buse the wasm backend, or a browser and driver with WebGPU\b/g,
    'use --backend wasm, or install a driver for the GPU',
  ],
  [/\buse the wasm backend\b/g, 'use --backend wasm'],
  [/\bgive it to loadKey\b/g, '--zkey takes it'],
  [/\bgive it to prove\b/g, 'pippin prove takes it with --witness'],
  [/\bgive it to fullProve or loadCircuit\b/g, 'pippin fullprove and pippin witness take it with --wasm'],
  [/\bgive the list of all chunks\b/g, 'the command line takes keys in one file'],
  [/\bgive the parsed JSON; verify takes\b.*/g, 'see that each option names the file that it is for'],
  [/\bdispose of keys that are not needed, or raise\b/g, 'raise'],
  [/\bwith its sha256 it\b/g, 'with --sha256 a key'],
  [/\ba relative one starts at the page that makes the call\b/g, 'the server has no file there'],
  [/, does it allow this origin \(CORS\), and does\b.*/g, ', and the address right?'],
  [/\b(load (it|them)|open the device) again\b/g, 'run the command again'],
  [/\bcreate another prover; if it stays, use fewer threads\b/g, 'run the command again, or use fewer --threads'],
  [/\bcreate another prover; if that fails too, load the page again\b.*/g, 'install pippin-prover again'],
  [
    /^(a bundler, or a copy of the application|check that the script is at that URL)\b.*/g,
    'install pippin-prover again',
  ],
  [/\bthe browser or the system may\b/g, 'the system may'],
  [/\bfewer threads need less\b/g, 'fewer --threads need less'],
];

/**
 * The command line's hints for errors where the SDK, which does not know it, has no hint or only its usual one; the
 * first match counts.
 */
const HINTS: readonly (readonly [code: PippinErrorCode, message: RegExp, hint: string])[] = [
  [
    'MALFORMED_FILE',
    /zkey|wtns|r1cs|section/,
    'the file may be cut short or altered: pippin info FILE tells what a .zkey, .wtns or .r1cs holds',
  ],
  ['CURVE_MISMATCH', /witness|circuit/, 'the files must be of one circuit: pippin info FILE tells their curves'],
  [
    'INVALID_POINT',
    /^expected point \d/,
    'the points may be altered, or of another curve or group; points of msm are little-endian, and --points-form names their form',
  ],
  ['INVALID_POINT', /vk_|IC\[/, 'the verification key may be altered: pippin vkey makes it anew from the proving key'],
  ['INVALID_POINT', /./, 'the file may be altered: compare its hash with the hash of the original, and get it again'],
  ['INVALID_SCALAR', /public signals/, 'no proof holds for them: see that --public names the signals of the proof'],
  [
    'INVALID_SCALAR',
    /./,
    'reduce scalars modulo the order of the group; they are little-endian, and --scalars-form names their form',
  ],
  ['INVALID_INPUT', /from 0 to r - 1/, 'without --strict-inputs it is reduced modulo r'],
  ['INVALID_INPUT', /./, "names and sizes of inputs are in the 'signal input' lines of the circuit's main component"],
  [
    'RESULT_INVALID',
    /./,
    'use --backend wasm, and pippin cache clear, which deletes what was prepared; if it stays, please report it',
  ],
  ['WEBGPU_UNAVAILABLE', /./, 'use --backend wasm, or install a driver for the GPU'],
  ['DEVICE_LOST', /./, 'run the command again, or use --backend wasm'],
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
  const hint = hintOf(error);
  return hint === error.hint ? error : new PippinError(code, message, { cause, hint });
}

function hintOf({ code, message, hint }: PippinError): string | undefined {
  const isUsual = hint === undefined || hint === USUAL_HINTS[code];
  const own = isUsual ? HINTS.find(([each, pattern]) => each === code && pattern.test(message))?.[2] : undefined;
  return own ?? (hint === undefined ? undefined : inOwnWords(hint));
}

function inOwnWords(hint: string): string {
  return WORDS.reduce((text, [ofSdk, ofCli]) => text.replaceAll(ofSdk, ofCli), hint);
}
