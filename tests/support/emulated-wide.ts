import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** Functions that compute what the instructions of wide arithmetic do. */
const EMULATION = `
(func $i64.add128 (param $a i64) (param $b i64) (param $c i64) (param $d i64) (result i64 i64) (local $low i64)
  (local.set $low (i64.add (local.get $a) (local.get $c)))
  (local.get $low)
  (i64.add (i64.add (local.get $b) (local.get $d)) (i64.extend_i32_u (i64.lt_u (local.get $low) (local.get $a)))))
(func $i64.sub128 (param $a i64) (param $b i64) (param $c i64) (param $d i64) (result i64 i64)
  (i64.sub (local.get $a) (local.get $c))
  (i64.sub (i64.sub (local.get $b) (local.get $d)) (i64.extend_i32_u (i64.lt_u (local.get $a) (local.get $c)))))
(func $i64.mul_wide_u (param $a i64) (param $b i64) (result i64 i64)
  (local $x i64) (local $y i64) (local $low i64) (local $first i64) (local $second i64)
  (local.set $x (i64.shr_u (local.get $a) (i64.const 32)))
  (local.set $y (i64.shr_u (local.get $b) (i64.const 32)))
  (local.set $a (i64.and (local.get $a) (i64.const 0xffffffff)))
  (local.set $b (i64.and (local.get $b) (i64.const 0xffffffff)))
  (local.set $low (i64.mul (local.get $a) (local.get $b)))
  (local.set $first (i64.add (i64.mul (local.get $x) (local.get $b)) (i64.shr_u (local.get $low) (i64.const 32))))
  (local.set $second (i64.add (i64.mul (local.get $a) (local.get $y)) (i64.and (local.get $first) (i64.const 0xffffffff))))
  (i64.or (i64.shl (local.get $second) (i64.const 32)) (i64.and (local.get $low) (i64.const 0xffffffff)))
  (i64.add
    (i64.add (i64.mul (local.get $x) (local.get $y)) (i64.shr_u (local.get $first) (i64.const 32)))
    (i64.shr_u (local.get $second) (i64.const 32))))
`;

/**
 * A module with wide arithmetic, with its instructions replaced by calls of functions: Node has no wide arithmetic.
 * Nothing else is changed. The browsers' own instructions are tested in tests/sdk/wide-arithmetic.test.ts.
 */
export async function emulateWide(binary: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const folder = join(root, 'build', 'test-wasm');
  const hash = createHash('sha256').update(EMULATION).update(binary).digest('hex').slice(0, 32);
  const file = join(folder, `${hash}.wasm`);
  if (!existsSync(file)) {
    const emulated = await replaceInstructions(binary);
    mkdirSync(folder, { recursive: true });
    // Test files run in parallel processes.
    writeFileSync(`${file}.${process.pid}`, emulated);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(readFileSync(file));
}

async function replaceInstructions(binary: Uint8Array): Promise<Uint8Array> {
  const { default: binaryen } = await import('assemblyscript/binaryen');
  const module = binaryen.readBinaryWithFeatures(binary, binaryen.Features.All);
  const text = module.emitText().replace(/\(i64\.(mul_wide_u|add128|sub128)\b/g, '(call $i64.$1');
  module.dispose();
  const emulated = binaryen.parseText(`${text.trimEnd().slice(0, -1)}${EMULATION})`);
  emulated.setFeatures(binaryen.Features.All & ~binaryen.Features.WideArithmetic);
  const bytes = emulated.emitBinary();
  emulated.dispose();
  return bytes;
}
