/**
 * Mutants that no test can kill, and why, by their files and names. One that does no harm is named here; one that does
 * gets a test.
 */
export const SURVIVORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sdk/proofs/verified-points.ts': {
    "infinity -> false in: return infinity ? point : encodePoint(curve, 'g1', [x, (modulus - (y as bigint)) % modulus]);":
      'the same: infinity has y = 0, whose opposite is 0',
    'await arithmetic.isInSubgroup({ group, points: joinBytes(points) }) -> false in: if (await arithmetic.isInSubgroup({ group, points: joinBytes(points) })) return;':
      'the same, slower: points are asked for one by one',
  },
  'sdk/files/snarkjs/json-values.ts': {
    "typeof value === 'number' && left out in: if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);":
      'the same: what is no number is no safe integer',
  },
  'sdk/transport/remote.ts': {
    "typeof value === 'object' && value !== null && left out in: const isMoved = typeof value === 'object' && value !== null && moved.has(value);":
      'the same: a WeakSet has nothing but objects',
    "&& value !== null left out in: const isMoved = typeof value === 'object' && value !== null && moved.has(value);":
      'the same: a WeakSet has nothing but objects',
    "typeof value === 'object' && left out in: const isMoved = typeof value === 'object' && value !== null && moved.has(value);":
      'the same: a WeakSet has nothing but objects',
  },
  'sdk/proofs/key-mismatch.ts': {
    "?? 'infinity' left out in: return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)) ?? ...":
      'the same: undefined is equal to undefined, and to no text',
  },
  'sdk/curves/random.ts': {
    '< -> <= in: for (let at = 0; at < length; at += MOST_AT_ONCE) crypto.getRandomValues(bytes.subarray(at, at + MOS...':
      'the same: no bytes are drawn at the end',
    '8 -> 8 + 1 in: const unused = 8 * scalarBytes - fr.bits;':
      'the same: scalars have a multiple of 32 bytes, and JavaScript shifts by the number modulo 32',
    '- -> + in: for (let i = bytes.length - 1; i >= 0; i--) if (bytes[i] !== bound[i]) return bytes[i]! < bound[i]!;':
      'the same: beyond their ends both are undefined',
    '< -> <= in: for (let i = bytes.length - 1; i >= 0; i--) if (bytes[i] !== bound[i]) return bytes[i]! < bound[i]!;':
      'the same: the bytes differ',
  },
  'sdk/bases/check-arithmetic.ts': {
    '73 -> 73 + 1 in: export const SHORT_CHECK_BITS = 73;': 'the same: room for one bit more, which is 0',
    '< -> <= in: for (let w = 0; w < windows; w++) {':
      'the same: what is written too far is overwritten next, or beyond the end',
    '< -> <= in: for (let row = 0; row < count; row++) bytes.fill(0, row * ROW_BYTES + WEIGHT_BITS / 8, (row + 1) * R...':
      'the same: there is nothing to fill beyond the end',
  },
  'sdk/executors/workers/pool/subgroup-check.ts': {
    '< -> <= in: for (let subset = 0; subset < subsets; subset++) {':
      'the same: beyond the last subset there is nothing to copy',
  },
  'sdk/bases/masked-msm.ts': {
    'this.outline = masked.bases.outline; left out in: this.outline = masked.bases.outline;':
      'the same: the first call finds another outline and forgets what is not there yet',
    'this.known.get(runs) === computing -> true in: if (this.known.get(runs) === computing) this.known.delete(runs);':
      'the same, slower: sums that another call began meanwhile are computed once more',
  },
  'sdk/bases/random-check.ts': {
    'wipeCopy(summed, scalars); left out in: wipeCopy(summed, scalars);':
      'a copy that nothing else refers to, so that no test can look at it',
    '&& range.to - range.from < held left out in: const isPart = range !== undefined && range.to - range.from < held;':
      'the same, with a copy: no point is left out',
    '< -> <= in: const isPart = range !== undefined && range.to - range.from < held;':
      'the same, with a copy: no point is left out',
    'point !== undefined && left out in: return point !== undefined && (await isInSubgroup(arithmetic, outline, finishing, m)) ? point : unde...':
      'the same, slower: undefined either way',
    'stopListening(); left out in: stopListening();': 'frees memory: nobody listens to what is stopped any more',
  },
  'sdk/files/cache/prepared-cache.ts': {
    '2 -> 2 + 1 in: const MAX_PARALLEL = 2;': 'another pace',
    'bytes !== undefined -> false in: if (bytes !== undefined) freeMemory(bytes);':
      'memory is freed later, by the garbage collector',
    'damage !== undefined -> false in: if (damage !== undefined) return;':
      'the same, slower: chunks are read after one was found to be damaged',
    'error instanceof RangeError -> true in: if (error instanceof RangeError) return undefined;':
      'a length gives no other error',
    'throw error; left out in: throw error; (2)': 'a length gives no other error',
    '0 -> 0 + 1 in: return this.deleteWhere((name) => name.slice(0, name.lastIndexOf(PART)).endsWith(`/${sourceHash}`));':
      'the same: keys begin with their format, not with a hash',
  },
  'sdk/engine/bases-cache.ts': {
    "typeof config === 'object' -> true in: const directory = typeof config === 'object' ? config.directory : undefined;":
      'the same: true has no directory',
    "outcome.kind === 'unavailable' || outcome.kind === 'miss' -> false in: if (outcome.kind === 'unavailable' || outcome.kind === 'miss') return undefined;":
      'the same: only a damaged record says what is damaged',
    "|| outcome.kind === 'miss' left out in: if (outcome.kind === 'unavailable' || outcome.kind === 'miss') return undefined;":
      'the same: only a damaged record says what is damaged',
    "outcome.kind === 'unavailable' || left out in: if (outcome.kind === 'unavailable' || outcome.kind === 'miss') return undefined;":
      'the same: only a damaged record says what is damaged',
    "1 -> 1 + 1 in: call.span('hash', 'host', () => source.hash(signal, call.meter('hash', 1))),":
      'the same: nothing else is weighed beside it',
    "hash === undefined -> false in: if (hash === undefined) return { kind: 'miss' };":
      'the same: no record ends with that hash',
    "outcome.kind === 'hit' -> false in: if (outcome.kind === 'hit') freeMemory(...Object.values(outcome.record.arrays));":
      'memory is freed later, by the garbage collector',
  },
  'sdk/files/cache/record-key.ts': Object.fromEntries(
    [
      '|| sourceHash === undefined left out',
      'format === undefined || plan === undefined || size === undefined || left out',
      '|| size === undefined left out',
      'format === undefined || plan === undefined || left out',
      '|| plan === undefined left out',
      'format === undefined || left out',
    ].map((what) => [
      `${what} in: if (format === undefined || plan === undefined || size === undefined || sourceHash === undefined) re...`,
      'the same: a match has all of its groups',
    ]),
  ),
  'farm/src/front/api-keys.ts': {
    "?? '' left out in: const key = /^Bearer +([\\w.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];":
      'the same: the text "undefined" is no header of either kind',
    "?? '' left out in: const pair = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header ?? '')?.[1];":
      'the same: the text "undefined" is no header of either kind',
  },
  'farm/src/front/rate-limit.ts': {
    'redis === undefined -> false in: ...(redis === undefined ? {} : { redis }),':
      'the same: @fastify/rate-limit counts in the process without a client, given as undefined or left out',
  },
  'farm/src/front/open-jobs.ts': {
    '< -> <= in: for (let i = 0; i < others.length; i += AT_A_TIME) {':
      'the same: no job is left to ask for at the end',
  },
  'farm/src/front/bodies.ts': {
    'bytes > 0 -> true in: if (bytes > 0) this.receive(request, reply, callers.of(request), bytes);':
      'the same, slower: 0 bytes are always taken',
    '> -> >= in: if (bytes > 0) this.receive(request, reply, callers.of(request), bytes);':
      'the same, slower: 0 bytes are always taken',
    '?? 0 left out in: const own = this.bytesOf.get(name) ?? 0;':
      'the same: a body that is the only one has been compared with the limit before',
    'own > 0 -> true in: if (own > 0) this.bytesOf.set(owner, own);': 'frees memory: 0 counts as nothing',
    '> -> >= in: if (own > 0) this.bytesOf.set(owner, own);': 'frees memory: 0 counts as nothing',
  },
  'farm/src/sealing/key-pair.ts': {
    'secretKey !== undefined && left out in: if (secretKey !== undefined && own !== undefined && base64(own) === publicKey) return { publicKey: o...':
      'the same: without a secret key there is no public one of it',
    "process.platform !== 'win32' && left out in: if (process.platform !== 'win32' && (mode & 0o077) !== 0) {":
      'another platform than that of the tests',
    "typeof file.publicKey !== 'string' || left out in: if (typeof file.publicKey !== 'string' || typeof file.secretKey !== 'string') return ownMembers({});":
      'the same: what is no text is not the text of the public key',
  },
  'farm/src/sealing/sealed-input.ts': {
    'return undefined; left out in: return undefined;': 'the same: a function without a return gives undefined',
    'return undefined; left out in: return undefined; (2)': 'the same: a function without a return gives undefined',
    '< -> <= in: (message.length < LENGTH_BYTES ? 0 : new DataView(message.buffer, message.byteOffset).getUint32(0, t...':
      'the same: a message without a header is refused',
    '0 -> 0 + 1 in: (message.length < LENGTH_BYTES ? 0 : new DataView(message.buffer, message.byteOffset).getUint32(0, t...':
      'the same: a message without a header is refused',
  },
  'sdk/files/snarkjs/zkey.ts': {
    'true -> false in: counts[view.getUint32(at, true) === 0 ? 0 : 1]++;': 'the same: 0 is 0 in either order of bytes',
    '0 -> 0 + 1 in: counts: [a: number, b: number] = [0, 0],': 'the same: nobody sees counts that are left out',
    '0 -> 0 + 1 in: counts: [a: number, b: number] = [0, 0], (2)': 'the same: nobody sees counts that are left out',
  },
  'sdk/base/option-reader.ts': {
    "typeof value !== 'number' || left out in: if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {":
      'the same: what is no number is no integer',
    "&& descriptor !== undefined left out in: return isPlain && descriptor !== undefined && !('value' in descriptor && descriptor.value === undefi...":
      'the same: asking what is undefined throws, which counts as not given',
    'return false; left out in: return false;': 'the same: a function without a return gives undefined',
  },
  'sdk/hosts/extension/framed-port.ts': {
    'this.parts = []; left out in: this.parts = [];': 'frees memory: a port that is closed takes nothing more',
  },
};
