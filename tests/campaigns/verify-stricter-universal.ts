import { CURVES } from '../../sdk/curves/index.js';
import { power } from '../../sdk/curves/modular.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import { type Asked, isInteger, type NamedCase } from './verify-asked.js';

/** The ways in which `verify` of PLONK and FFLONK is stricter than snarkjs, besides what every proof system refuses. */

/** A primitive root of unity of this order, or 0 for wr, whose cube is w. */
const ROOT_ORDERS: Readonly<Record<string, number>> = { w3: 3, w4: 4, w8: 8, wr: 0 };

const rOf = ({ curve }: Asked): bigint => CURVES[curve].fr.modulus;

/** A scalar of the key; undefined if it is missing or no number. */
function scalarOf({ scalars }: Asked, wanted: string): bigint | undefined {
  const json = scalars.find(({ of, name }) => of === 'key' && name === wanted)?.json;
  return isInteger(json) ? BigInt(json as string) : undefined;
}

/** The domain's size; undefined if the key has none. */
function domainOf({ curve, key }: Asked): number | undefined {
  const log = isInteger(key.power) ? BigInt(key.power as string) : 0n;
  return log < 1n || log > BigInt(CURVES[curve].fr.twoAdicity) ? undefined : 2 ** Number(log);
}

function isWrongRoot(asked: Asked, name: string, order: number): boolean {
  const [r, root, n] = [rOf(asked), scalarOf(asked, name), domainOf(asked)];
  if (root === undefined || n === undefined) return false;
  if (order === 0) return power(root, 3n, r) !== rootOfDomain(asked.curve, n);
  const isOfOrder = (exponent: number): boolean => power(root, BigInt(exponent), r) === 1n;
  return !isOfOrder(order) || isOfOrder(order === 3 ? 1 : order / 2);
}

export const UNIVERSAL_CASES: readonly NamedCase[] = [
  {
    name: 'an evaluation is not below r',
    outcome: false,
    applies: (asked) =>
      asked.scalars.some(({ of, json }) => of === 'proof' && isInteger(json) && BigInt(json as string) >= rOf(asked)),
  },
  {
    name: 'a scalar of the key is not below r',
    outcome: 'INVALID_SCALAR',
    applies: (asked) =>
      asked.scalars.some(({ of, json }) => of === 'key' && isInteger(json) && BigInt(json as string) >= rOf(asked)),
  },
  {
    name: 'a scalar is no decimal number',
    outcome: 'MALFORMED_FILE',
    applies: ({ scalars }) =>
      scalars.some(
        ({ name, json }) => !(name === 'w' && json === undefined) && (!isInteger(json) || BigInt(json as string) < 0n),
      ),
  },
  {
    name: 'power or nPublic is no number of the curve',
    outcome: 'MALFORMED_FILE',
    applies: (asked) => {
      const n = domainOf(asked);
      const { nPublic } = asked.key;
      return n === undefined || !isInteger(nPublic) || BigInt(nPublic as string) > BigInt(n);
    },
  },
  {
    name: 'k1 and k2 do not tell the wires apart',
    outcome: 'MALFORMED_FILE',
    applies: (asked) => {
      const [r, n, k1, k2] = [rOf(asked), domainOf(asked), scalarOf(asked, 'k1'), scalarOf(asked, 'k2')];
      if (n === undefined || k1 === undefined || k2 === undefined) return false;
      const [one, two] = [k1, k2].map((k) => power(k, BigInt(n), r)) as [bigint, bigint];
      return [one, two].some((k) => k === 0n || k === 1n) || one === two;
    },
  },
  {
    name: 'w is not the root of unity of the domain',
    outcome: 'MALFORMED_FILE',
    applies: (asked) => {
      const [w, n] = [scalarOf(asked, 'w'), domainOf(asked)];
      return w !== undefined && n !== undefined && w !== rootOfDomain(asked.curve, n);
    },
  },
  {
    name: 'a root of unity of an FFLONK key is another',
    outcome: 'MALFORMED_FILE',
    applies: (asked) =>
      asked.system === 'fflonk' && Object.entries(ROOT_ORDERS).some(([name, order]) => isWrongRoot(asked, name, order)),
  },
];
