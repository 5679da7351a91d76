/**
 * What `work` gives while `Object.prototype` has these members, as a script of a page can put them there. They are gone
 * afterwards.
 */
export async function polluted<T>(members: Readonly<Record<string, unknown>>, work: () => T | Promise<T>): Promise<T> {
  const names = Object.keys(members);
  for (const name of names) {
    if (name in Object.prototype) throw new Error(`expected a name that is free, got ${name}`);
    Object.defineProperty(Object.prototype, name, {
      value: members[name],
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  try {
    return await work();
  } finally {
    for (const name of names) delete (Object.prototype as Record<string, unknown>)[name];
  }
}
