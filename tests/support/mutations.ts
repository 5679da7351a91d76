import fc from 'fast-check';

/** Throws whatever is done with it. */
function hostile(): object {
  const fail = (): never => {
    throw new Error('hostile');
  };
  const traps = Object.fromEntries(
    ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'set', 'deleteProperty'].map((trap) => [
      trap,
      fail,
    ]),
  );
  return new Proxy({}, traps);
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function cycle(): unknown[] {
  const array: unknown[] = ['1'];
  array.push(array);
  return array;
}

function nested(depth: number): unknown {
  let value: unknown = '1';
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** Values that do not belong into arguments, each made anew. */
const ODD_VALUES: readonly (() => unknown)[] = [
  ...[undefined, null, true, false, 0, 1, -1, 1.5, Number.NaN, 2 ** 53, 1n, -1n, 1n << 300n].map(
    (value) => () => value,
  ),
  ...['', 'x', '1', '-1', '0x1', '1e3', ' 1', '\0', '1'.repeat(5000), 'http://[', 'groth16', 'bls12381'].map(
    (text) => () => text,
  ),
  () => [],
  () => [undefined, '1'],
  () => ['1', 2n, 3],
  () => new Array(3),
  () => new Array(2 ** 32 - 1),
  () => cycle(),
  () => nested(100),
  () => nested(20_000),
  () => ({}),
  () => Object.create(null),
  () => ({ constructor: { name: 5 } }),
  () => ({ toString: null, valueOf: null }),
  () => ({ length: 3 }),
  () => ({
    get x() {
      throw new Error('hostile');
    },
  }),
  () => hostile(),
  () => revoked({}),
  () => revoked([]),
  () => new Proxy([], {}),
  () => new Proxy(new Uint8Array(8), {}),
  () => new Proxy(new ArrayBuffer(8), {}),
  () => new Proxy(new Blob(['x']), {}),
  () => new Proxy(new AbortController().signal, {}),
  () => () => 1,
  () => class {},
  () => Symbol('x'),
  () => new Date(0),
  () => new Map([['x', 1]]),
  () => new String('1'),
  () => Promise.resolve(1),
  () => new Uint8Array(8),
  () => detached(),
  () => detached().buffer,
  () => new Uint8Array(new SharedArrayBuffer(8)),
  () => new SharedArrayBuffer(8),
  () => new WebAssembly.Memory({ initial: 1 }).buffer,
  () => new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer),
  () => new BigUint64Array(3),
  () => new DataView(new ArrayBuffer(8)),
  () => new Blob(['x']),
  () => new URL('file:///no/such/file'),
  () => ({ aborted: false }),
  () => ({ aborted: false, addEventListener() {}, removeEventListener() {} }),
  () => ({ aborted: false, addEventListener: () => hostile(), removeEventListener: 1 }),
  () => AbortSignal.abort(),
  () => new AbortController().signal,
  ...[Uint8Array, ArrayBuffer, Blob, URL, AbortSignal, Array, Promise].map(
    ({ prototype }) =>
      () =>
        Object.create(prototype as object),
  ),
];

/** One change: where in the value (each number picks a member, modulo their number), and what is done there. */
export interface Mutation {
  readonly path: readonly number[];
  readonly kind: number;
  readonly odd: number;
}

/** Lists of one to three changes. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    path: fc.array(fc.nat(1000), { maxLength: 5 }),
    kind: fc.nat(1000),
    odd: fc.nat(10_000),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A copy of the value of JSON, changed as the mutations say. */
export function mutated(value: unknown, changes: readonly Mutation[]): unknown {
  return changes.reduce((changed, mutation) => changeAt(changed, mutation.path, mutation), value);
}

function changeAt(value: unknown, path: readonly number[], mutation: Mutation): unknown {
  const keys = isPlain(value) ? Object.keys(value) : [];
  const [pick, ...rest] = path;
  if (pick === undefined || keys.length === 0) return changed(value, mutation);
  const key = keys[pick % keys.length]!;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = changeAt(copy[key], rest, mutation);
  return copy;
}

function changed(value: unknown, { kind, odd }: Mutation): unknown {
  const other = ODD_VALUES[odd % ODD_VALUES.length]!();
  if (!isPlain(value)) return typeof value === 'string' && kind % 3 === 0 ? changedText(value, odd) : other;
  const keys = Object.keys(value);
  const at = odd % (keys.length + 1);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    switch (kind % 6) {
      case 0:
        return copy.toSpliced(at, 1);
      case 1:
        return copy.toSpliced(at, 0, other);
      case 2:
        delete copy[at];
        return copy;
      case 3:
        return copy.reverse();
      case 4:
        return [...copy, ...copy];
      default:
        return other;
    }
  }
  const copy = { ...value } as Record<string, unknown>;
  const key = keys[at % Math.max(1, keys.length)] ?? 'x';
  switch (kind % 5) {
    case 0:
      delete copy[key];
      return copy;
    case 1:
      return Object.defineProperty(copy, key, {
        enumerable: true,
        get: () => {
          throw new Error('hostile');
        },
      });
    case 2:
      return { ...copy, [key]: other };
    case 3:
      return new Proxy(copy, {});
    default:
      return other;
  }
}

function changedText(text: string, odd: number): string {
  const at = odd % (text.length + 1);
  return `${text.slice(0, at)}${odd % 10}${text.slice(at + (odd % 2))}`;
}

/** Whether it is an array or object that may be taken apart. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (Array.isArray(value)) return value.length < 1000;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype && Object.values(value).length >= 0;
  } catch {
    return false;
  }
}
