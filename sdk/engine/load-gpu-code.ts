import { loadPart } from '../base/load-part.js';

/** The code that uses a GPU, which is loaded when it is first wanted. `WEBGPU_UNAVAILABLE` if the script cannot be loaded. */
export function loadGpuCode(): Promise<typeof import('./gpu-code.js')> {
  return loadPart('the GPU', () => import('./gpu-code.js'), 'WEBGPU_UNAVAILABLE');
}
