import { loadPart } from '../../base/load-part.js';
import { expandRepeats } from './expand-repeats.js';

/** Loads a script whose default export is WGSL. */
export type ShaderLoader = () => Promise<{ readonly default: string }>;

/**
 * The WGSL from a loader; `what` names it in the error.
 *
 * @throws PippinError WEBGPU_UNAVAILABLE if the script that holds it cannot be loaded.
 */
export async function loadShader(what: string, load: ShaderLoader): Promise<string> {
  const shader = await loadPart(`${what} on the GPU`, load, 'WEBGPU_UNAVAILABLE');
  return expandRepeats(shader.default);
}
