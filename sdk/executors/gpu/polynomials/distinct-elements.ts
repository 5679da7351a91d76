/** Words of an element. */
const WORDS = 8;

/** Buckets at first; twice as many whenever half of them are taken. */
const FIRST_BUCKETS = 1024;

/** Random factors of a hash: who makes a file of elements cannot know which of them collide. */
const FACTORS = crypto.getRandomValues(new Uint32Array(WORDS)).map((factor) => factor | 1);

/** Elements of 8 words, each kept once and numbered in the order of their coming. */
export class DistinctElements {
  private values = new Uint32Array((FIRST_BUCKETS / 2) * WORDS);
  /** For each bucket the number of its element plus 1, or 0 (open addressing). */
  private buckets = new Uint32Array(FIRST_BUCKETS);
  private count = 0;

  /** The words of all elements. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.values.subarray(0, this.count * WORDS);
  }

  /** The number of the element that begins at word `at`, which is kept if it is new. */
  add(words: Uint32Array, at: number): number {
    const mask = this.buckets.length - 1;
    for (let b = bucketOf(words, at, this.buckets); ; b = (b + 1) & mask) {
      const taken = this.buckets[b]!;
      if (taken === 0) return this.insert(b, words, at);
      if (this.isAt(taken - 1, words, at)) return taken - 1;
    }
  }

  private isAt(number: number, words: Uint32Array, at: number): boolean {
    for (let w = 0; w < WORDS; w++) if (this.values[number * WORDS + w] !== words[at + w]) return false;
    return true;
  }

  private insert(bucket: number, words: Uint32Array, at: number): number {
    const number = this.count++;
    this.buckets[bucket] = this.count;
    this.values.set(words.subarray(at, at + WORDS), number * WORDS);
    if (2 * this.count === this.buckets.length) this.grow();
    return number;
  }

  private grow(): void {
    const values = new Uint32Array(2 * this.values.length);
    values.set(this.values);
    const buckets = new Uint32Array(2 * this.buckets.length);
    const mask = buckets.length - 1;
    for (let number = 0; number < this.count; number++) {
      let b = bucketOf(values, number * WORDS, buckets);
      while (buckets[b] !== 0) b = (b + 1) & mask;
      buckets[b] = number + 1;
    }
    this.values = values;
    this.buckets = buckets;
  }
}

/** The bucket in which an element is looked for first: the highest bits of a sum of products (multiply-shift hashing). */
function bucketOf(words: Uint32Array, at: number, { length }: Uint32Array): number {
  let sum = 0;
  for (let w = 0; w < WORDS; w++) sum += Math.imul(words[at + w]!, FACTORS[w]!);
  return (sum >>> 0) >>> (1 + Math.clz32(length));
}
