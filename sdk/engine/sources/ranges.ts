/**
 * What asks servers for parts of files: the used parts of PLONK and FFLONK keys, and the rest of a download that an
 * earlier visit began. A page downloads it with the first such key, or when a download turns out to be slow.
 */

export { fetchUsedParts, keptParts } from '../../files/snarkjs/used-parts.js';
export { fetchRest, keepWhileArriving } from './begun-download.js';
