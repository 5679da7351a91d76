/**
 * Runs work(0) .. work(count - 1), up to `limit` of them at the same time. After a failure it starts no further ones, and it waits for those
 * that are running before it throws, so that nothing goes on after it has returned.
 */
export async function limitConcurrency(
  count: number,
  limit: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const runInTurn = async (): Promise<void> => {
    while (next < count) {
      try {
        await work(next++);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, count) }, runInTurn));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
