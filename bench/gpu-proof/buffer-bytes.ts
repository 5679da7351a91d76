/** The channel on which threads ask for the bytes, and answer. */
const CHANNEL = 'gpu-proof buffer bytes';

/** In a thread that uses Dawn: counts the bytes of all buffers on its devices, and tells them to who asks. */
export function countBufferBytes(deviceClass: { readonly prototype: GPUDevice }): void {
  const { prototype } = deviceClass;
  const create = prototype.createBuffer;
  let bytes = 0;
  prototype.createBuffer = function (descriptor) {
    const buffer = create.call(this, descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let isAlive = true;
    bytes += buffer.size;
    buffer.destroy = () => {
      if (isAlive) bytes -= buffer.size;
      isAlive = false;
      return destroy();
    };
    return buffer;
  };
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage(bytes);
  };
  // It does not keep the thread alive.
  (channel as unknown as { unref(): void }).unref();
}

/** The bytes of all buffers on the devices of the thread that counts them. */
export function bufferBytes(): Promise<number> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      if (typeof data !== 'number') return;
      channel.close();
      resolve(data);
    };
    channel.postMessage('ask');
  });
}
