import type { CeremonyOptions, VerificationOptions } from '../../ceremony/api.js';
import type { ContributedPowers } from '../../ceremony/powers/api.js';
import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import {
  addBeaconToPowersOfTau,
  contributeToPowersOfTau,
  convertPowersOfTau,
  exportChallenge,
  importResponse,
  newPowersOfTau,
  powersOfTauToJson,
  preparePowersOfTau,
  respondToChallenge,
  truncatePowersOfTau,
  verifyPowersOfTau,
} from '../../hosts/node/node-ceremony.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { expectOutputs } from '../expect-outputs.js';
import { file, fileOrStdin, integer, text, word, writtenFile } from '../option.js';
import { writeOutput } from '../output-file.js';
import {
  beaconLimit,
  ceremonyProgress,
  factsText,
  hashLines,
  MAX_BEACON_ITERATIONS,
  needed,
  withEntropy,
} from './ceremony.js';

const NAME = 'powers-of-tau';
const ACTIONS = [
  ...['new', 'contribute', 'beacon', 'verify', 'prepare', 'convert', 'truncate', 'challenge', 'respond', 'import'],
  'export-json',
];

export const powersOfTauCommand = defineCommand({
  name: NAME,
  topic: 'files',
  summary: 'begin powers of tau, contribute to them, verify them, or prepare them for keys',
  usage: `${ACTIONS.join('|')} [--ptau FILE] [--out FILE] [options]`,
  operand: {
    value: ACTIONS.join('|'),
    help: 'begin with powers of 1, add secrets of yours, add public ones, check everything, prepare for phase 2, convert what an old snarkjs prepared, keep a smaller power, write a challenge, respond to one, add a response, or write JSON',
    words: ACTIONS,
  },
  options: {
    ptau: file('.ptau', 'the powers until now, for all but new and respond'),
    challenge: file('', 'the challenge that respond contributes to'),
    response: file('', 'the response that import adds to the powers that its challenge is of'),
    out: writtenFile('', 'write the new powers, the challenge, the response or the JSON to this file', 'name a file'),
    curve: word(
      KEY_CURVES.map(({ id }) => id),
      'the curve of new powers, or of a challenge',
    ),
    power: integer('N', 'new or truncated powers serve circuits of up to 2^N constraints', 1, 28),
    name: text('TEXT', 'the name of the contribution, of which 64 characters are kept'),
    entropy: fileOrStdin('', 'text or bytes that contribute or respond adds to the random bytes of the platform'),
    hash: text('HEX', 'the public value that a beacon is made from'),
    iterations: integer('N', 'apply SHA-256 2^N times to that value', 10, 63),
    'max-beacon-iterations': MAX_BEACON_ITERATIONS,
    backend: word(['auto', 'webgpu', 'wasm'], 'whether a GPU prepares the points (default: auto, where there is one)'),
    threads: integer(
      'N',
      'how many workers there are (default: one for each thread of the machine, at most 16)',
      1,
      64,
    ),
  },
  notes: [
    'Files are as snarkjs 0.7 writes and accepts them. What contribute prints is to be published: verify prints it again.',
    'A contribution to prepared powers leaves out what was prepared. export-json writes each point as one number, as',
    'snarkjs does: files can be compared by it.',
  ],
  examples: [
    'pippin powers-of-tau new --curve bn254 --power 14 --out pot14_0000.ptau',
    'pippin powers-of-tau contribute --ptau pot14_0000.ptau --out pot14_0001.ptau --name Ada',
    'pippin powers-of-tau beacon --ptau pot14_0001.ptau --out pot14_beacon.ptau --hash 01020304 --iterations 10',
    'pippin powers-of-tau prepare --ptau pot14_beacon.ptau --out pot14_final.ptau',
    'pippin powers-of-tau verify --ptau pot14_final.ptau',
    'pippin powers-of-tau convert --ptau pot14_old.ptau --out pot14_final.ptau',
    'pippin powers-of-tau truncate --ptau pot14_final.ptau --power 10 --out pot10_final.ptau',
    'pippin powers-of-tau challenge --ptau pot14_0001.ptau --out challenge',
    'pippin powers-of-tau respond --challenge challenge --curve bn254 --out response',
    'pippin powers-of-tau import --ptau pot14_0001.ptau --response response --out pot14_0002.ptau --name Ada',
    'pippin powers-of-tau export-json --ptau pot10_final.ptau --out pot10_final.json',
  ],
  exits: { 0: 'done, or the powers are valid', 1: 'the powers are not valid, or the work failed' },
  async work(given, context, action) {
    const { ptau, out, curve, power, name, entropy, hash, iterations } = given;
    const { backend, threads } = given;
    const options: CeremonyOptions = {
      signal: context.signal,
      onProgress: ceremonyProgress(context, action, 'powers of tau'),
      ...(backend !== undefined && { backend }),
      ...(threads !== undefined && { threads }),
    };
    if (action === 'verify') {
      const limit = beaconLimit(given['max-beacon-iterations']);
      return verify(needed('ptau', ptau, action, NAME), { ...options, ...limit }, context);
    }
    const to = needed('out', out, action, NAME);
    if (action === 'new') {
      const first = { curve: needed('curve', curve, action, NAME), power: needed('power', power, action, NAME) };
      const { challenge } = await newPowersOfTau({ ...options, ...first, to });
      const lines = [`${to} is written. The first challenge:`, hashLines(challenge)];
      await context.result({ file: to, challenge }, lines.join('\n'));
      return 0;
    }
    if (action === 'respond') {
      const challenge = needed('challenge', given.challenge, action, NAME);
      await expectOutputs({ out: to }, { challenge });
      const of = needed('curve', curve, action, NAME);
      const made = await withEntropy(entropy, context, (bytes) =>
        respondToChallenge(challenge, { ...options, curve: of, entropy: bytes, to }),
      );
      const lines = [`${to} is written. The hash of the challenge:`, hashLines(made.challenge)];
      lines.push('Publish the hash of the contribution:', hashLines(made.hash));
      await context.result({ file: to, challenge: made.challenge, hash: made.hash }, lines.join('\n'));
      return 0;
    }
    const source = needed('ptau', ptau, action, NAME);
    await expectOutputs({ out: to }, { ptau: source });
    if (action === 'truncate') {
      await truncatePowersOfTau(source, { ...options, power: needed('power', power, action, NAME), to });
      await context.result({ file: to }, `${to} is written.`);
      return 0;
    }
    if (action === 'challenge') {
      const { hash: challenge } = await exportChallenge(source, { ...options, to });
      const lines = [`${to} is written. The hash of the challenge:`, hashLines(challenge)];
      await context.result({ file: to, challenge }, lines.join('\n'));
      return 0;
    }
    if (action === 'export-json') {
      const json = await powersOfTauToJson(source, { signal: context.signal });
      await writeOutput(to, `${JSON.stringify(json, undefined, 1)}\n`, context);
      await context.result({ file: to }, `${to} is written.`);
      return 0;
    }
    if (action === 'prepare' || action === 'convert') {
      await (action === 'prepare' ? preparePowersOfTau : convertPowersOfTau)(source, { ...options, to });
      await context.result({ file: to }, `${to} is written.`);
      return 0;
    }
    const made = { ...options, to, ...(name !== undefined && { name }) };
    if (action === 'import') {
      const response = needed('response', given.response, action, NAME);
      await expectOutputs({ out: to }, { response });
      return print(to, await importResponse(source, response, made), context);
    }
    if (action === 'beacon') {
      const publicValue = {
        hash: needed('hash', hash, action, NAME),
        iterations: needed('iterations', iterations, action, NAME),
      };
      return print(to, await addBeaconToPowersOfTau(source, { ...made, ...publicValue }), context);
    }
    const contributed = await withEntropy(entropy, context, (bytes) =>
      contributeToPowersOfTau(source, { ...made, entropy: bytes }),
    );
    return print(to, contributed, context);
  },
});

async function print(path: string, { hash, nextChallenge }: ContributedPowers, context: Context): Promise<number> {
  const lines = [`${path} is written. Publish the hash of the contribution:`, hashLines(hash)];
  await context.result({ file: path, hash, nextChallenge }, lines.join('\n'));
  return 0;
}

async function verify(ptau: string, options: VerificationOptions, context: Context): Promise<number> {
  const report = await verifyPowersOfTau(ptau, options);
  const { isValid, fault, curve, power, isPrepared, contributions } = report;
  const verdict = isValid ? 'The powers are valid.' : `The powers are not valid: ${fault}.`;
  const facts = `2^${power} over ${curve}, ${isPrepared ? 'prepared' : 'not prepared'} for phase 2.`;
  const history = contributions.map((one, i) => `Contribution ${i + 1}${factsText(one)}\n${hashLines(one.hash)}`);
  await context.result(report, [`${verdict}\n${facts}`, ...history].join('\n\n'));
  return isValid ? 0 : 1;
}
