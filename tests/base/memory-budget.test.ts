import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BudgetExceeded, type Lease, MemoryBudget } from '../../sdk/base/memory-budget.js';

it('grants leases as long as their sum is within the limit, whatever is leased and released', () => {
  const step = fc.record({ bytes: fc.nat(60), kind: fc.constantFrom('a', 'b'), ends: fc.nat(5) });
  fc.assert(
    fc.property(fc.nat(100), fc.array(step, { maxLength: 50 }), (limit, steps) => {
      const budget = new MemoryBudget(limit);
      const leases: Lease[] = [];
      const sumOf = (kind?: string): number =>
        leases.filter((each) => kind === undefined || each.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
      let peak = 0;
      for (const { bytes, kind, ends } of steps) {
        const fits = sumOf() + bytes <= limit;
        if (fits) leases.push(budget.lease(bytes, kind));
        else expect(() => budget.lease(bytes, kind)).toThrow(BudgetExceeded);
        peak = Math.max(peak, sumOf());
        if (ends % 2 === 1) leases.shift()?.release();
        else leases[ends]?.reduce(7);
        expect([budget.leased, budget.available, budget.peak]).toEqual([sumOf(), limit - sumOf(), peak]);
        expect([budget.leasedOf('a'), budget.leasedOf('a', 'b')]).toEqual([sumOf('a'), sumOf()]);
      }
    }),
  );
});

it('gives a lease back once, and names what is left', () => {
  const budget = new MemoryBudget(10);
  const lease = budget.lease(8, 'bases');
  expect(() => budget.lease(3, 'scratch')).toThrow(
    'expected at most 2 bytes of scratch, which a memoryBudget of 10 has left, got 3',
  );
  lease.reduce(3);
  lease.release();
  lease.release();
  expect([lease.bytes, budget.leased, budget.available]).toEqual([0, 0, 10]);
});

it('counts without a limit, too', () => {
  const budget = new MemoryBudget();
  budget.lease(2 ** 40, 'bases');
  expect([budget.isLimited, budget.leased, budget.available]).toEqual([false, 2 ** 40, Number.POSITIVE_INFINITY]);
});
