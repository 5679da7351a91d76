import type { Vector } from './polynomials.js';

/**
 * The vectors of one computation, which are released together when it has ended, well or not. They hold secrets: what a
 * failed computation still makes afterwards is released at once.
 */
export class VectorScope {
  private readonly vectors: Vector[] = [];
  private isOver = false;

  /** The vector, when it is made. One that is consumed meanwhile is released already, which does no harm. */
  async add(making: Vector | Promise<Vector>): Promise<Vector> {
    const vector = await making;
    if (this.isOver) vector.release();
    else this.vectors.push(vector);
    return vector;
  }

  /** Releases all vectors. Idempotent. */
  end(): void {
    this.isOver = true;
    for (const vector of this.vectors.splice(0)) vector.release();
  }
}
