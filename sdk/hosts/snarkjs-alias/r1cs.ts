import { bigintToBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type FilePlatform, type ReadOptions, readSource } from '../../encodings/read-source.js';
import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import { type LinearCombination, type R1csHeader, readR1cs } from '../../files/snarkjs/r1cs.js';
import type { InputFile, Logger, SnarkjsLinearCombination, SnarkjsR1cs } from './api.js';
import { type Names, sourceOf } from './files.js';

/** `r1cs.info` of snarkjs. */
export async function r1csInfo(
  platform: FilePlatform & Names,
  options: ReadOptions,
  file: InputFile,
  logger?: Logger,
): Promise<SnarkjsR1cs> {
  return readSource(platform, sourceOf(platform, file, 'a .r1cs'), 'a .r1cs', options, async (source) => {
    const r1cs = await readR1cs(source);
    const { header } = r1cs;
    if (header.hasCustomGates) {
      throw new PippinError('UNSUPPORTED_FORMAT', 'expected a .r1cs without custom gates, got one with some');
    }
    if (logger) log(logger, header);
    const sum = sumWriter(header);
    const constraints: SnarkjsR1cs['constraints'] = [];
    for await (const [a, b, c] of r1cs.constraints()) constraints.push([sum(a), sum(b), sum(c)]);
    return {
      n8: header.elementBytes,
      prime: header.prime,
      nVars: header.wires,
      nOutputs: header.publicOutputs,
      nPubInputs: header.publicInputs,
      nPrvInputs: header.privateInputs,
      nLabels: header.labels,
      nConstraints: header.constraints,
      useCustomGates: false,
      constraints,
      customGates: [],
      customGatesUses: [],
    };
  });
}

function log(logger: Logger, header: R1csHeader): void {
  const curve = KEY_CURVES.find(({ fr }) => fr.modulus === header.prime);
  const name = curve?.snarkjs.name.replace(/\d{3}$/, '-$&');
  logger.info?.(name === undefined ? `Unknown Curve. Prime: ${header.prime}` : `Curve: ${name}`);
  const lines = {
    Wires: header.wires,
    Constraints: header.constraints,
    'Private Inputs': header.privateInputs,
    'Public Inputs': header.publicInputs,
    Labels: header.labels,
    Outputs: header.publicOutputs,
  };
  for (const [what, count] of Object.entries(lines)) logger.info?.(`# of ${what}: ${count}`);
}

function sumWriter({ prime, elementBytes }: R1csHeader): (sum: LinearCombination) => SnarkjsLinearCombination {
  const isOfCurve = KEY_CURVES.some(({ fr }) => fr.modulus === prime);
  const write = (value: bigint): Uint8Array | bigint =>
    isOfCurve ? bigintToBytes((value << BigInt(8 * elementBytes)) % prime, elementBytes) : value;
  return (sum) => Object.fromEntries([...sum].map(([wire, value]) => [wire, write(value)]));
}
