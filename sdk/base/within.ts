/** What `work` gives, or a rejection that names `who` did not answer for `ms` milliseconds. What the work does after that is ignored. */
export async function within<T>(ms: number, who: string, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`expected an answer of ${who} within ${ms} ms, got none`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
