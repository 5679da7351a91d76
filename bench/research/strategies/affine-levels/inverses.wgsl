// Replaces the threads' totals of a level by their inverses. A workgroup takes `parts` totals for each of its threads:
// every thread multiplies up its own, the workgroup multiplies these up in a tree, one thread inverts the root, and all
// go back the same way.
//
// Totals are in Montgomery form with the byte products' R_b; the products here are Montgomery products of limbs, with
// R_l. So the root's inverse, R_l^2 / a, is multiplied by `inverse_factor()`, R_b^2 / R_l, which makes it R_b^2 / a.

// The tree: the root at 1, below node i the nodes 2 i and 2 i + 1.
var<workgroup> nodes: array<array<u32, WORDS>, 2u * WORKGROUP>;
var<workgroup> has_totals: u32;

fn node(i: u32) -> Field {
  return field_unpack(nodes[i]);
}

fn run(t: u32, local: u32) {
  let count = min(pair_counts[params.level], params.threads);
  let first = (t - local) * params.parts + local;
  if (local == 0u) {
    has_totals = u32(first < count);
  }
  if (workgroupUniformLoad(&has_totals) == 0u) {
    return;
  }
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loops.
  let none = params.limbs >> 8u;
  var before: array<array<u32, WORDS>, MOST_PARTS>;
  var product = field_one();
  for (var part = 0u; part < params.parts + none; part++) {
    let i = first + part * WORKGROUP;
    before[part] = field_pack(product);
    if (i < count) {
      product = field_mul(product, load_total(i, params.threads));
    }
  }
  nodes[WORKGROUP + local] = field_pack(product);
  for (var width = WORKGROUP / 2u; width > none; width /= 2u) {
    workgroupBarrier();
    if (local < width) {
      nodes[width + local] = field_pack(field_mul(node(2u * (width + local)), node(2u * (width + local) + 1u)));
    }
  }
  workgroupBarrier();
  if (local == 0u) {
    nodes[1] = field_pack(field_mul(field_inverse(node(1u)), inverse_factor()));
  }
  for (var width = 2u; width <= WORKGROUP + none; width *= 2u) {
    workgroupBarrier();
    var inverse: Field;
    if (local < width) {
      inverse = field_mul(node((width + local) / 2u), node((width + local) ^ 1u));
    }
    workgroupBarrier();
    if (local < width) {
      nodes[width + local] = field_pack(inverse);
    }
  }
  var inverse = node(WORKGROUP + local);
  for (var part = params.parts; part > none; part--) {
    let i = first + (part - 1u) * WORKGROUP;
    if (i < count) {
      let total = load_total(i, params.threads);
      store_total(i, params.threads, field_mul(inverse, field_unpack(before[part - 1u])));
      inverse = field_mul(inverse, total);
    }
  }
}
