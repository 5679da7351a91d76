/** Events in the order of their times: a binary heap. */
export class EventQueue<Event> {
  private readonly heap: { readonly at: number; readonly event: Event }[] = [];

  get length(): number {
    return this.heap.length;
  }

  add(at: number, event: Event): void {
    const { heap } = this;
    let i = heap.push({ at, event }) - 1;
    for (let parent = (i - 1) >> 1; i > 0 && heap[parent]!.at > at; parent = (i - 1) >> 1) {
      [heap[i], heap[parent]] = [heap[parent]!, heap[i]!];
      i = parent;
    }
  }

  /** The earliest event; undefined if there is none. */
  take(): { readonly at: number; readonly event: Event } | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left;
      if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right;
      if (least === i) return first;
      [heap[i], heap[least]] = [heap[least]!, heap[i]!];
      i = least;
    }
  }
}
