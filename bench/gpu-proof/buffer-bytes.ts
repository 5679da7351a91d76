/** The channel on which threads ask for the bytes, and answer. */
const CHANNEL = 'gpu-proof buffer bytes';

/** Bytes of the buffers of a thread. */
export interface BufferBytes {
  readonly now: number;
  /** The most at any moment, and how much each kind had then. */
  readonly peak: number;
  readonly peakByKind: Readonly<Record<string, number>>;
}

/** In a thread that uses Dawn: counts the bytes of all buffers on its devices, and tells them to who asks. */
export function countBufferBytes(deviceClass: { readonly prototype: GPUDevice }): void {
  const { prototype } = deviceClass;
  const create = prototype.createBuffer;
  let now = 0;
  let peak = 0;
  const byKind: Record<string, number> = {};
  let peakByKind = byKind;
  const add = (label: string, bytes: number): void => {
    // Labels begin with the kind.
    const kind = label.split(' ', 1)[0]!;
    byKind[kind] = (byKind[kind] ?? 0) + bytes;
    now += bytes;
    if (now <= peak) return;
    peak = now;
    peakByKind = { ...byKind };
  };
  prototype.createBuffer = function (descriptor) {
    const buffer = create.call(this, descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let isAlive = true;
    add(buffer.label, buffer.size);
    buffer.destroy = () => {
      if (isAlive) add(buffer.label, -buffer.size);
      isAlive = false;
      return destroy();
    };
    return buffer;
  };
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage({ now, peak, peakByKind } satisfies BufferBytes);
  };
  // It does not keep the thread alive.
  (channel as unknown as { unref(): void }).unref();
}

/** The bytes of all buffers on the devices of the thread that counts them. */
export function bufferBytes(): Promise<BufferBytes> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      if (typeof data !== 'object') return;
      channel.close();
      resolve(data as BufferBytes);
    };
    channel.postMessage('ask');
  });
}
