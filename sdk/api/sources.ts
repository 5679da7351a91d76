/**
 * Bytes, or where to read them. A string or URL is fetched, and keys, bases and circuits that are loaded are kept in the cache, so that they are not
 * downloaded again while the server says that they are the same (docs/security.md, "Files that were fetched"); in Node a string that is not a URL is the path of a file. The file of a key or of
 * bases stays open as long as they are loaded, and a file that is written to meanwhile is an error (`IO_FAILED`) when it is read again.
 */
export type BinarySource = Uint8Array | ArrayBuffer | Blob | URL | string;

/**
 * How numbers modulo a prime are written. `canonical`: an integer a below the prime. `montgomery`: a R mod the prime, where R is 2^256 for
 * numbers of 32 bytes, 2^384 for those of 48 and 2^768 for those of 96, as arkworks, gnark and ICICLE hold them in memory. Either is little-endian.
 */
export type NumberForm = 'canonical' | 'montgomery';
