import { dawn } from '../../sdk/hosts/node/node-gpu.js';

/**
 * The GPU of this machine, which claims not to be a software adapter, so that the backend `auto` uses it. undefined
 * without WebGPU.
 */
export async function disguisedGpu(): Promise<GPU | undefined> {
  const real = await dawn();
  if (real === undefined) return undefined;
  const info = { vendor: 'test', architecture: '', device: '', description: '', isFallbackAdapter: false };
  return {
    wgslLanguageFeatures: real.wgslLanguageFeatures,
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await real.requestAdapter(options);
      if (adapter !== null) Object.defineProperty(adapter, 'info', { value: info });
      return adapter;
    },
  } as GPU;
}
