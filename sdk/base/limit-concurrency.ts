/**
 * Runs work(0) .. work(count - 1), at most `limit` of them concurrently. After a failure it starts no more, and waits
 * for the running ones before it throws, so that nothing goes on after it has returned.
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
