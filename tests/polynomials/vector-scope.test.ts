import { describe, expect, it } from 'vitest';
import type { Vector } from '../../sdk/polynomials/polynomials.js';
import { VectorScope } from '../../sdk/polynomials/vector-scope.js';

function vector(): Vector & { released: number } {
  return {
    length: 1,
    released: 0,
    release() {
      this.released++;
    },
  };
}

describe('a scope of vectors', () => {
  it('releases its vectors once when it ends', async () => {
    const scope = new VectorScope();
    const [a, b] = [vector(), vector()];
    expect(await scope.add(a)).toBe(a);
    expect(await scope.add(Promise.resolve(b))).toBe(b);
    expect([a.released, b.released]).toEqual([0, 0]);
    scope.end();
    scope.end();
    expect([a.released, b.released]).toEqual([1, 1]);
  });

  it('releases a vector at once that is made after its end', async () => {
    const scope = new VectorScope();
    const late = vector();
    const adding = scope.add(Promise.resolve(late));
    scope.end();
    await adding;
    expect(late.released).toBe(1);
  });

  it('passes on a failure, and goes on', async () => {
    const scope = new VectorScope();
    await expect(scope.add(Promise.reject(new Error('no vector')))).rejects.toThrow('no vector');
    const other = await scope.add(vector());
    scope.end();
    expect((other as ReturnType<typeof vector>).released).toBe(1);
  });
});
