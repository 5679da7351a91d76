import type { BinarySource, Groth16Key, KeyLoadOptions } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { plainCopy } from '../../files/plain-copy.js';
import { type DescribeLocation, describeKey, maxBytesOf, sha256Of } from './caller-source.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { noteLoaded, releaseLoaded } from './loaded-things.js';
import { keyTuning } from './tuning-options.js';

/** See `Groth16.loadKey`. */
export async function loadKey(
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  zkey: BinarySource | readonly BinarySource[],
  options: KeyLoadOptions | undefined,
): Promise<Groth16Key> {
  const reader = new OptionReader(options, 'the options of loadKey');
  const tuning = keyTuning(reader);
  const form = { code: 'MALFORMED_FILE', whole: 'a verification key', single: 'JSON' } as const;
  const expected = {
    sha256: sha256Of(reader),
    maxBytes: maxBytesOf(reader),
    allowUnfinished: reader.flag('allowUnfinished', false),
    verificationKey: plainCopy(reader.read('verificationKey'), form),
  };
  const isMoved = reader.flag('transfer', false);
  const call = calls.begin(reader);
  const source = describeKey(zkey, describeLocation, isMoved);
  const { handle, description, report } = await calls.load(call, (engine, number) =>
    engine.loadKey(number, 'groth16', withItsBytes(source, source), tuning, expected),
  );
  const facts = description as Omit<Groth16Key, 'report' | 'dispose'>;
  const key: Groth16Key = { ...facts, report, dispose: () => releaseLoaded(key) };
  noteLoaded(key, { calls, kind: 'key', handle });
  return key;
}
