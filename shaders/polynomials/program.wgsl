// Runs a straight-line program for element i of a chunk. Instruction k is program[k]: the operation (0 adds, 1
// subtracts, 2 multiplies), the target register, and the two registers that it reads. Registers are columns of
// `registers`, of `rows` elements each: the operands come first, then results. A register number with the highest bit
// set is a constant, of which the elements follow the instructions. The last result, canonical, is element `offset` + i
// of `result`.

fn load(number: u32, i: u32) -> Field {
  if ((number >> 31u) == 1u) {
    let at = params.instructions + 2u * (number & 0x7fffffffu);
    return element_from(program[at], program[at + 1u]);
  }
  let at = 2u * (number * params.rows + i);
  return element_from(registers[at], registers[at + 1u]);
}

fn run(i: u32) {
  var value = field_zero();
  for (var k = 0u; k < params.instructions; k++) {
    let instruction = program[k];
    let a = load(instruction.z, i);
    let b = load(instruction.w, i);
    if (instruction.x == 0u) {
      value = field_add(a, b);
    } else if (instruction.x == 1u) {
      value = field_sub(a, b);
    } else {
      value = field_mul(a, b);
    }
    let packed = field_pack(value);
    let at = 2u * (instruction.y * params.rows + i);
    registers[at] = low_words(packed);
    registers[at + 1u] = high_words(packed);
  }
  let packed = field_pack(field_canonical(value));
  let to = 2u * (params.offset + i);
  result[to] = low_words(packed);
  result[to + 1u] = high_words(packed);
}
