/**
 * What each of `makers` makes, in their order. At most `ahead()` are at work or not yet taken at a time; when the
 * caller stops, those that have begun are awaited.
 */
export async function* inOrder<T>(makers: Iterable<() => Promise<T>>, ahead: () => number): AsyncGenerator<T> {
  const begun: Promise<T>[] = [];
  try {
    for (const make of makers) {
      while (begun.length >= ahead()) yield await begun.shift()!;
      const making = make();
      // It is awaited when the ones before it have been taken.
      making.catch(() => undefined);
      begun.push(making);
    }
    while (begun.length > 0) yield await begun.shift()!;
  } finally {
    await Promise.allSettled(begun);
  }
}
