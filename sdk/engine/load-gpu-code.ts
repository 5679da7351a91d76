import { messageOf, PippinError } from '../errors.js';

/** The code that uses a GPU, which is loaded when it is first wanted. `WEBGPU_UNAVAILABLE` if the script cannot be loaded. */
export async function loadGpuCode(): Promise<typeof import('./gpu-code.js')> {
  try {
    return await import('./gpu-code.js');
  } catch (error) {
    const reason = messageOf(error);
    throw new PippinError('WEBGPU_UNAVAILABLE', `expected the code for the GPU, could not load it: ${reason}`, {
      cause: error,
    });
  }
}
