import { bigintToBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import type { ByteSource } from '../../files/byte-source.js';
import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import { type LinearCombination, type R1cs, type R1csHeader, readR1cs } from '../../files/snarkjs/r1cs.js';
import type { InputFile, Logger, SnarkjsLinearCombination, SnarkjsR1cs, SnarkjsR1csJson } from './api.js';
import { type AliasContext, missingCalls } from './context.js';

/** The namespace `r1cs`. */
export function r1csCalls(context: AliasContext) {
  return {
    /**
     * What an `.r1cs` file holds, with its constraints, as `r1cs.info` of snarkjs.
     *
     * @param r1cs the file.
     * @param logger logs its sizes.
     * @returns the sizes and the constraints.
     * @throws {PippinError} IO_FAILED when the file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, or one of another version.
     * @example
     * ```js
     * import { r1cs } from 'pippin-prover/snarkjs';
     *
     * const { nConstraints, nVars } = await r1cs.info('circuit.r1cs');
     * console.log(nConstraints, nVars);
     * ```
     */
    info: context.withGlobals(
      async (r1cs: InputFile, logger?: Logger): Promise<SnarkjsR1cs> =>
        context.read(r1cs, 'a .r1cs', (source) => r1csInfo(source, logger)),
    ),
    /**
     * The same with numbers as decimal strings, and the label of each wire, as `r1cs.exportJson` of snarkjs.
     *
     * @param r1cs the file.
     * @returns the sizes, the constraints and the labels.
     * @throws {PippinError} IO_FAILED when the file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, one of another version, or custom gates.
     * @example
     * ```js
     * import { r1cs } from 'pippin-prover/snarkjs';
     *
     * const { constraints, map } = await r1cs.exportJson('circuit.r1cs');
     * console.log(constraints.length, map.length);
     * ```
     */
    exportJson: context.withGlobals(
      async (r1cs: InputFile, _logger?: Logger): Promise<SnarkjsR1csJson> => context.read(r1cs, 'a .r1cs', r1csJson),
    ),
    ...missingCalls('r1cs', ['print']),
  };
}

/** The sizes and constraints of a file. */
export async function r1csInfo(source: ByteSource, logger?: Logger): Promise<SnarkjsR1cs> {
  const r1cs = await openR1cs(source);
  const { header } = r1cs;
  if (logger) log(logger, header);
  const sum = sumWriter(header);
  const constraints: SnarkjsR1cs['constraints'] = [];
  for await (const [a, b, c] of r1cs.constraints()) constraints.push([sum(a), sum(b), sum(c)]);
  return {
    ...counts(header),
    useCustomGates: false,
    constraints,
    customGates: [],
    customGatesUses: [],
  };
}

async function r1csJson(source: ByteSource): Promise<SnarkjsR1csJson> {
  const r1cs = await openR1cs(source);
  const json = (combination: LinearCombination): Record<string, string> =>
    Object.fromEntries([...combination].map(([wire, value]) => [wire, String(value)]));
  const constraints: SnarkjsR1csJson['constraints'] = [];
  for await (const [a, b, c] of r1cs.constraints()) constraints.push([json(a), json(b), json(c)]);
  return {
    ...counts(r1cs.header),
    prime: String(r1cs.header.prime),
    useCustomGates: false,
    constraints,
    map: await r1cs.labels(),
    customGates: [],
    customGatesUses: [],
  };
}

async function openR1cs(source: ByteSource): Promise<R1cs> {
  const r1cs = await readR1cs(source);
  if (!r1cs.header.hasCustomGates) return r1cs;
  throw new PippinError('UNSUPPORTED_FORMAT', 'expected a .r1cs without custom gates, got one with some');
}

/** What both calls tell of a header, by snarkjs' names and in its order. */
function counts(header: R1csHeader) {
  return {
    n8: header.elementBytes,
    prime: header.prime,
    nVars: header.wires,
    nOutputs: header.publicOutputs,
    nPubInputs: header.publicInputs,
    nPrvInputs: header.privateInputs,
    nLabels: header.labels,
    nConstraints: header.constraints,
  };
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
