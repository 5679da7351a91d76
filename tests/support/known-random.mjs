/** Byte i of what tests/support/contributing-process.mjs has in the place of a contributor's random bytes. */
export const knownByte = (/** @type {number} */ i) => (29 * i + 17) & 0xff;
