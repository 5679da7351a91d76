// Elements of the scalar field in buffers: 8 words, lowest first, as two vectors.

fn element_from(low: vec4u, high: vec4u) -> Field {
  return field_unpack(array<u32, 8>(low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w));
}

fn low_words(w: array<u32, 8>) -> vec4u {
  return vec4u(w[0], w[1], w[2], w[3]);
}

fn high_words(w: array<u32, 8>) -> vec4u {
  return vec4u(w[4], w[5], w[6], w[7]);
}
