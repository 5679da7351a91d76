/** Counts what was tried, and prints a line for each. */
export class Trials {
  passed = 0;
  failed = 0;

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} trial what is tried; it fails by throwing, and a text that it gives is shown
   */
  async run(name, trial) {
    const began = Date.now();
    const took = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
    try {
      const told = await trial();
      this.passed++;
      console.log(`  ok      ${name} (${took()})`);
      if (typeof told === 'string') console.log(`          ${told}`);
    } catch (error) {
      this.failed++;
      console.log(`  FAILED  ${name} (${took()})`);
      console.error(error);
    }
  }
}

/**
 * Throws unless the condition holds. @param {unknown} condition @param {string} expectation @returns {asserts
 * condition}
 */
export function expect(condition, expectation) {
  if (!condition) throw new Error(`expected ${expectation}`);
}

/**
 * Asks again until the answer is truthy.
 *
 * @template T
 * @param {string} expectation
 * @param {() => Promise<T> | T} ask
 * @param {number} [ms]
 * @returns {Promise<NonNullable<T>>}
 */
export async function eventually(expectation, ask, ms = 60_000) {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer) return /** @type {NonNullable<T>} */ (answer);
    if (Date.now() > end) throw new Error(`expected ${expectation} within ${ms / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
