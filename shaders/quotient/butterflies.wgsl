// Consecutive levels of NTTs, in place. A level of `half` = 2^h has butterflies over elements at a distance of `half`:
// x and y become x + t y and x - t y. One workgroup takes a tile through all levels from h = `low` on: 2^`levels` rows
// at a distance of 2^`low`, each of 2^`columns` adjacent elements. First come `falling` levels of an inverse NTT, from
// the highest down, then `rising` levels of a coset NTT, from the lowest up; each number is 0 or `levels`.
//
// The twiddle factors `factors` hold t_b at index b, as in wasm/ntt/ntt.ts, with inverse roots. The inverse NTT goes
// from natural to bit-reversed order with factor t_b for block b. The coset NTT goes back to natural order; its factor
// for butterfly j of a block is -t_m with m = 2 half - 1 - rev(j), where rev reverses the h bits of j. The minus sign
// swaps the sum and the difference.

var<workgroup> tile: array<u32, 8u * TILE>;

// The index of element e of the tile that begins at `begin`.
fn position(begin: u32, e: u32) -> u32 {
  return begin + ((e >> params.columns) << params.low) + (e & ((1u << params.columns) - 1u));
}

// Word w of element e lies at w TILE + e, so that adjacent threads access different banks.
fn load_from_tile(e: u32) -> Field {
  return field_unpack(array<u32, 8>(
    tile[e],
    tile[TILE + e],
    tile[2u * TILE + e],
    tile[3u * TILE + e],
    tile[4u * TILE + e],
    tile[5u * TILE + e],
    tile[6u * TILE + e],
    tile[7u * TILE + e],
  ));
}

fn store_to_tile(e: u32, a: Field) {
  let words = field_pack(a);
  tile[e] = words[0];
  tile[TILE + e] = words[1];
  tile[2u * TILE + e] = words[2];
  tile[3u * TILE + e] = words[3];
  tile[4u * TILE + e] = words[4];
  tile[5u * TILE + e] = words[5];
  tile[6u * TILE + e] = words[6];
  tile[7u * TILE + e] = words[7];
}

// Butterfly k of a level of the tile.
fn butterfly(begin: u32, k: u32, level: u32, is_rising: bool) {
  let bit = params.columns + level;
  let distance = 1u << bit;
  let upper = ((k >> bit) << (bit + 1u)) | (k & (distance - 1u));
  let lower = upper + distance;
  let h = params.low + level;
  let at = position(begin, upper);
  let block = at >> (h + 1u);
  let reversed = (reverseBits(at & ((1u << h) - 1u)) >> 1u) >> (31u - h);
  let number = select(block, (2u << h) - 1u - reversed, is_rising);
  let product = field_mul(element_from(factors[2u * number], factors[2u * number + 1u]), load_from_tile(lower));
  let x = load_from_tile(upper);
  store_to_tile(select(upper, lower, is_rising), field_add(x, product));
  store_to_tile(select(lower, upper, is_rising), field_sub(x, product));
}

fn run(t: u32, local: u32) {
  // A dispatch may have a few excess workgroups; they must do nothing, yet reach every barrier.
  let size = select(0u, 1u << (params.levels + params.columns), t < params.end);
  let number = t / WORKGROUP;
  let beside = params.low - params.columns;
  let begin =
    ((number >> beside) << (params.low + params.levels)) | ((number & ((1u << beside) - 1u)) << params.columns);
  for (var e = local; e < size; e += WORKGROUP) {
    let source = 2u * position(begin, e);
    let low_half = data[source];
    let high_half = data[source + 1u];
    for (var w = 0u; w < 4u; w++) {
      tile[w * TILE + e] = low_half[w];
      tile[(w + 4u) * TILE + e] = high_half[w];
    }
  }
  for (var turn = 0u; turn < params.falling + params.rising; turn++) {
    workgroupBarrier();
    let is_rising = turn >= params.falling;
    let level = select(params.falling - 1u - turn, turn - params.falling, is_rising);
    if (local < size / 2u) {
      butterfly(begin, local, level, is_rising);
    }
  }
  workgroupBarrier();
  for (var e = local; e < size; e += WORKGROUP) {
    let to = 2u * position(begin, e);
    data[to] = vec4u(tile[e], tile[TILE + e], tile[2u * TILE + e], tile[3u * TILE + e]);
    data[to + 1u] = vec4u(tile[4u * TILE + e], tile[5u * TILE + e], tile[6u * TILE + e], tile[7u * TILE + e]);
  }
}
