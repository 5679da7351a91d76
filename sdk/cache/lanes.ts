/**
 * Runs work(0) .. work(count - 1), up to `lanes` at a time. After a failure nothing new begins; what is under way comes to its
 * end before the failure is thrown, so that nothing happens behind the caller's back.
 */
export async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      try {
        await work(next++);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(lanes, count) }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
