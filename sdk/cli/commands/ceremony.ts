import { wipe } from '../../base/free-memory.js';
import type { CeremonyOptions, ContributionFacts, NewKey, VerifyContributionsOptions } from '../../ceremony/api.js';
import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import {
  beacon,
  contribute,
  contributeBellman,
  exportBellman,
  importBellman,
  newKey,
  newUniversalKey,
  verifyContributions,
} from '../../hosts/node/node-ceremony.js';
import { PROTOCOLS } from '../../proofs/parts.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { expectOutputs } from '../expect-outputs.js';
import { readBytes } from '../files.js';
import { file, fileOrStdin, integer, text, usageError, word, writtenFile } from '../option.js';
import { lineText } from '../text.js';

/** The most characters of a contribution's name that are shown. */
const SHOWN_NAME = 64;

const ACTIONS = ['new', 'contribute', 'beacon', 'verify', 'export-bellman', 'contribute-bellman', 'import-bellman'];

/** The longest beacon that a verification hashes, for both commands. */
export const MAX_BEACON_ITERATIONS = integer(
  'N',
  'refuse beacons beyond 2^N iterations when verifying (default: 26)',
  10,
  63,
);

/** The proof system of keys with a second phase. */
const [USUAL_PROTOCOL] = PROTOCOLS;

export const ceremonyCommand = defineCommand({
  name: 'ceremony',
  topic: 'files',
  summary: 'make a key, contribute to its second phase, end its ceremony, or verify it',
  usage: `${ACTIONS.join('|')} --r1cs FILE --ptau FILE --zkey FILE --out FILE [options]`,
  operand: {
    value: ACTIONS.join('|'),
    help: "make the first key, add a secret of yours, add a public one, check all contributions, or the same with bellman's parameters",
    words: ACTIONS,
  },
  options: {
    zkey: file('.zkey', 'the key with the contributions until now'),
    r1cs: file('.r1cs', 'the circuit of a new key, or with which verify repeats the set-up'),
    protocol: word(PROTOCOLS, `the proof system of a new key (default: ${USUAL_PROTOCOL})`),
    params: file('', "bellman's parameters, which export-bellman writes"),
    curve: word(
      KEY_CURVES.map(({ id }) => id),
      "the curve of bellman's parameters",
    ),
    out: writtenFile('', 'write the new key, or the parameters, to this file', 'name a file'),
    name: text('TEXT', 'the name of the contribution, of which 64 characters are kept'),
    entropy: fileOrStdin('', 'text or bytes that contribute adds to the random bytes of the platform'),
    hash: text('HEX', 'the public value that a beacon is made from'),
    iterations: integer('N', 'apply SHA-256 2^N times to that value', 10, 63),
    'max-beacon-iterations': MAX_BEACON_ITERATIONS,
    first: file('.zkey', 'the key as the set-up wrote it, which verify compares with'),
    ptau: file('.ptau', 'the powers of tau of a new key, or with which verify checks the first key as well'),
    backend: word(
      ['auto', 'webgpu', 'wasm'],
      'whether a GPU multiplies the points of a contribution (default: auto, where there is one)',
    ),
    threads: integer(
      'N',
      'how many workers there are (default: one for each thread of the machine, at most 16)',
      1,
      64,
    ),
  },
  notes: [
    'Keys are as snarkjs 0.7 writes and accepts them. What contribute prints is to be published: verify prints it again.',
    'verify takes --first, or --r1cs and --ptau. With --ptau it makes all checks of snarkjs; without, the points H of the',
    'first key are trusted. It hashes a beacon as often as the file says, unless that is beyond --max-beacon-iterations.',
    'Keys of PLONK and FFLONK are complete when they are made: they take no contribution.',
  ],
  examples: [
    'pippin ceremony new --r1cs note.r1cs --ptau pot14.ptau --out note_0000.zkey',
    'pippin ceremony new --protocol plonk --r1cs note.r1cs --ptau pot14.ptau --out note.plonk.zkey',
    'pippin ceremony contribute --zkey note_0003.zkey --out note_0004.zkey --name Ada',
    'pippin ceremony beacon --zkey note_0004.zkey --out note.zkey --hash 0102030405060708 --iterations 10',
    'pippin ceremony verify --zkey note.zkey --first note_0000.zkey --ptau pot14.ptau',
    'pippin ceremony verify --zkey note.zkey --r1cs note.r1cs --ptau pot14.ptau',
    'pippin ceremony export-bellman --zkey note_0003.zkey --out note.params',
    'pippin ceremony contribute-bellman --params note.params --curve bn254 --out note_ada.params',
    'pippin ceremony import-bellman --zkey note_0003.zkey --params note_ada.params --out note_0004.zkey --name Ada',
  ],
  exits: { 0: 'done, or the key is valid', 1: 'the key is not valid, or the work failed' },
  async work(given, context, action) {
    const { zkey, r1cs, protocol = USUAL_PROTOCOL, out, name, entropy, hash, iterations, first, ptau } = given;
    const { backend, threads } = given;
    const options: CeremonyOptions = {
      signal: context.signal,
      onProgress: ceremonyProgress(context, action),
      ...(backend !== undefined && { backend }),
      ...(threads !== undefined && { threads }),
    };
    if (action === 'new') {
      const files = { r1cs: needed('r1cs', r1cs, action), ptau: needed('ptau', ptau, action) };
      const to = needed('out', out, action);
      await expectOutputs({ out: to }, files);
      if (protocol !== USUAL_PROTOCOL) {
        const made = await newUniversalKey(files.r1cs, files.ptau, { ...options, protocol, to });
        const text = `${to} is written: ${made.gates} gates on a domain of ${made.domainSize} elements.`;
        await context.result({ file: to, ...made }, text);
        return 0;
      }
      const { circuitHash } = await newKey(files.r1cs, files.ptau, { ...options, to });
      const lines = [`${to} is written: the first key, whose proofs can be forged. The hash of its circuit:`];
      await context.result({ file: to, circuitHash }, [...lines, hashLines(circuitHash)].join('\n'));
      return 0;
    }
    if (action === 'contribute-bellman') {
      const params = needed('params', given.params, action);
      const to = needed('out', out, action);
      await expectOutputs({ out: to }, { params });
      const curve = needed('curve', given.curve, action);
      const made = await withEntropy(entropy, context, (bytes) =>
        contributeBellman(params, { ...options, curve, entropy: bytes, to }),
      );
      const lines = [`${to} is written. Publish the hash of the contribution:`, hashLines(made.hash)];
      await context.result({ file: to, hash: made.hash }, lines.join('\n'));
      return 0;
    }
    const key = needed('zkey', zkey, action);
    if (action === 'verify') {
      if (r1cs === undefined) needed('first', first, action);
      else needed('ptau', ptau, action);
      const from = {
        ...(first !== undefined && { first }),
        ...(r1cs !== undefined && { r1cs }),
        ...(ptau !== undefined && { ptau }),
        ...beaconLimit(given['max-beacon-iterations']),
      };
      return verify(key, { ...options, ...from }, context);
    }
    const to = needed('out', out, action);
    await expectOutputs({ out: to }, { zkey: key });
    if (action === 'export-bellman') {
      await exportBellman(key, { ...options, to });
      await context.result({ file: to }, `${to} is written.`);
      return 0;
    }
    const made = { ...options, to, ...(name !== undefined && { name }) };
    if (action === 'import-bellman') {
      const params = needed('params', given.params, action);
      await expectOutputs({ out: to }, { params });
      const { hashes, circuitHash } = await importBellman(key, params, made);
      const lines = [`${to} is written, with ${hashes.length} new contributions:`, ...hashes.map(hashLines)];
      await context.result({ file: to, hashes, circuitHash }, lines.join('\n'));
      return 0;
    }
    if (action === 'beacon') {
      const publicValue = { hash: needed('hash', hash, action), iterations: needed('iterations', iterations, action) };
      await printKey(to, await beacon(key, { ...made, ...publicValue }), context);
      return 0;
    }
    await printKey(
      to,
      await withEntropy(entropy, context, (bytes) => contribute(key, { ...made, entropy: bytes })),
      context,
    );
    return 0;
  },
});

/** The option of a verification, if it is given. */
export const beaconLimit = (iterations: number | undefined) =>
  iterations === undefined ? {} : { maxBeaconIterations: iterations };

/** Runs `work` with the bytes of `--entropy`, or none, and overwrites them. */
export async function withEntropy<T>(
  entropy: string | undefined,
  context: Context,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const bytes = entropy === undefined ? new Uint8Array() : await readBytes(entropy, context, 'the entropy');
  try {
    return await work(bytes);
  } finally {
    wipe(bytes);
  }
}

export function needed<T>(name: string, value: T | undefined, action: string, command = 'ceremony'): T {
  if (value !== undefined) return value;
  throw usageError(`expected --${name} for ${command} ${action}, got none`, `pippin ${command} --help explains it`);
}

/** Tells the progress of the call as a proof's is told. */
export function ceremonyProgress(context: Context, action: string, what = 'the key'): (fraction: number) => void {
  const tell = context.step(`${action === 'verify' ? 'Verifying' : 'Making'} ${what}`);
  return (done) => tell({ kind: 'progress', phase: 'msm', done, total: 1 });
}

async function printKey(path: string, { hash, circuitHash }: NewKey, context: Context): Promise<void> {
  const lines = [`${path} is written. Publish the hash of the contribution:`, hashLines(hash)];
  await context.result({ file: path, hash, circuitHash }, lines.join('\n'));
}

async function verify(zkey: string, options: VerifyContributionsOptions, context: Context): Promise<number> {
  const report = await verifyContributions(zkey, options);
  const { isValid, fault, circuitHash, contributions } = report;
  const verdict = isValid ? 'The key is valid.' : `The key is not valid: ${fault}.`;
  const history = contributions.map((one, i) => `Contribution ${i + 1}${factsText(one)}\n${hashLines(one.hash)}`);
  await context.result(report, [verdict, `Circuit\n${hashLines(circuitHash)}`, ...history].join('\n\n'));
  return isValid ? 0 : 1;
}

export function factsText({ name, beacon: from }: ContributionFacts): string {
  const named = name === undefined ? '' : `: ${lineText(name, SHOWN_NAME)}`;
  return from === undefined ? named : `${named} (beacon ${from.hash}, 2^${from.iterations} iterations)`;
}

/** A hash in four lines of four groups, as snarkjs prints it. */
export function hashLines(hash: string): string {
  const groups = hash.match(/.{8}/g) ?? [];
  return [0, 4, 8, 12].map((at) => `  ${groups.slice(at, at + 4).join(' ')}`).join('\n');
}
