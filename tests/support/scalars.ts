import { Random } from './random.js';

/**
 * Vectors of scalars for which multi-scalar multiplications are likely to go wrong, by name. All values are below
 * `order`.
 */
export function adversarialScalars(count: number, order: bigint): Record<string, bigint[]> {
  const random = new Random(count);
  const make = (value: (i: number) => bigint): bigint[] => Array.from({ length: count }, (_, i) => value(i) % order);
  const pool = Array.from({ length: 32 }, () => random.below(order));
  const powers = order.toString(2).length - 1;
  const equal = random.below(order);
  return {
    random: make(() => random.below(order)),
    zero: make(() => 0n),
    one: make(() => 1n),
    'all equal': make(() => equal),
    'the order minus 1': make(() => order - 1n),
    'half the order, up or down': make((i) => (order + (i % 2 === 0 ? 1n : -1n)) / 2n),
    'short, of either sign': make((i) =>
      i % 3 === 0 ? order - 1n - random.below(2n ** 20n) : random.below(2n ** 20n),
    ),
    'short but for one': make((i) => (i === 1 ? order - 2n ** 150n : BigInt(i))),
    'powers of two minus 1': make((i) => (1n << BigInt(1 + (i % powers))) - 1n),
    'powers of two': make((i) => 1n << BigInt(i % powers)),
    'mostly 0 and 1': make(() => {
      const kind = random.integer(100);
      return kind < 60 ? 0n : kind < 85 ? 1n : random.below(order);
    }),
    'of 32 distinct values': make(() => pool[random.integer(32)]!),
  };
}
