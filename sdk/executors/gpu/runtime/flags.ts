/**
 * The values of WebGPU's flag namespaces (sections 5.1.2, 5.1.3 and 8.2 of the specification), which are not globals in
 * Node.
 */
export const BufferUsage = {
  MAP_READ: 0x0001,
  MAP_WRITE: 0x0002,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  QUERY_RESOLVE: 0x0200,
} as const;

export const MapMode = { READ: 0x0001, WRITE: 0x0002 } as const;

export const ShaderStage = { COMPUTE: 0x4 } as const;
