/**
 * Where the parts of a kernel's memory lie: the data of the points module from address 0, those of the scalars module, which shares the memory, from
 * `SCALARS_BASE`, and what is allocated from `HEAP_BASE`.
 */
export const SCALARS_BASE = 0x10000;
export const HEAP_BASE = 0x20000;
