import { asPippinError, PippinError } from '../errors.js';
import { expandRepeats } from './expand-repeats.js';

/** Loads a script whose default export is WGSL. */
export type ShaderLoader = () => Promise<{ readonly default: string }>;

/**
 * The WGSL that a loader gives; `what` names it in the error.
 *
 * @throws PippinError WEBGPU_UNAVAILABLE if the script that holds it cannot be loaded.
 */
export async function loadShader(what: string, load: ShaderLoader): Promise<string> {
  try {
    return expandRepeats((await load()).default);
  } catch (error) {
    const { message } = asPippinError(error);
    throw new PippinError('WEBGPU_UNAVAILABLE', `expected the shaders of ${what}, could not load them: ${message}`, {
      cause: error,
    });
  }
}
