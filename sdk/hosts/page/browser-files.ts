import { laterPart } from '../../base/load-part.js';
import { fileFunctionsOn } from '../../encodings/file-functions.js';
import type { PackKey, UnpackKey } from '../../encodings/packing.js';
import { describeUrl } from './browser-location.js';

export const { exportVerificationKey, readInfo } = fileFunctionsOn({
  describeLocation: describeUrl,
  openFile: undefined,
});

// Only pages that pack keys download the code of it, and of its workers.
const loadPacking = laterPart('packing keys', () => import('./browser-packing.js'));

export const packKey: PackKey = async (...given) => (await loadPacking()).packKey(...given);
export const unpackKey: UnpackKey = async (...given) => (await loadPacking()).unpackKey(...given);
