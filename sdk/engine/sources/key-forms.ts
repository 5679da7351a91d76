/**
 * The code of keys in other forms than one .zkey, in chunks or packed, which a page downloads with the first of them.
 * Scripts of workers name it, so it imports nothing that starts workers.
 */

export { NO_KERNELS, openPackedKey } from '../../files/packed/packed-key.js';
export { joinZkeyChunks } from '../../files/snarkjs/zkey-chunks.js';
