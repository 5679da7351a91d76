/**
 * What `work` gives, or a rejection after `ms` milliseconds: a file system on a network that is down never answers. What the work does after
 * that is ignored.
 */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`expected an answer of the storage within ${ms} ms, got none`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
