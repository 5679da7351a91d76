import { wholePart } from './exports.js';
import { ELEMENTS_NAMES, type ElementExports } from './generated/element-exports.js';
import { instantiate, type WholeInstance } from './kernel-instance.js';
import { ELEMENTS_BASE } from './memory.js';

/** Instances of the module of vectors, by the kernel in whose memory they compute. */
const instances = new WeakMap<WholeInstance, Promise<ElementExports>>();

/**
 * What computes with vectors over the scalar field in a kernel's memory. It is instantiated when it is first asked for.
 *
 * @param module the curve's module of vectors (`-elements`).
 */
export function elementExports(instance: WholeInstance, module: WebAssembly.Module): Promise<ElementExports> {
  let made = instances.get(instance);
  if (made === undefined) {
    made = instantiateElements(instance, module);
    made.catch(() => instances.delete(instance));
    instances.set(instance, made);
  }
  return made;
}

async function instantiateElements(
  { core, memory }: WholeInstance,
  module: WebAssembly.Module,
): Promise<ElementExports> {
  const { exports } = await instantiate(module, { env: { memory: core.memory } });
  const elements = wholePart<ElementExports>(exports, ELEMENTS_NAMES);
  memory.keepData(ELEMENTS_BASE, elements.heapBase());
  return elements;
}
