import { MAX_PARAMS } from './submit-params.js';

/**
 * A stage is one declaration: its kernel's bindings, parameters and constants, the memory it needs and its dispatches.
 * The WGSL header of the kernel (`stageHeader`) and its bind group layout (`Pipelines`) are generated from it.
 */

/** The WGSL type of a binding's elements. */
export type Element = 'u32' | 'i32' | 'vec2u' | 'vec4u';

/** How a kernel uses a binding. `atomic` elements are read and written by atomic operations. */
export type Access = 'read' | 'read_write' | 'atomic';

/**
 * A storage binding: `array<element>`. `buffer` names the scratch buffer to bind; it is undefined where every run of
 * the stage gives a scratch buffer's name or a `GPUBuffer`.
 */
export interface Binding<Buffer extends string | undefined = string | undefined> {
  readonly access: Access;
  readonly element: Element;
  readonly buffer: Buffer;
}

/** A binding that the kernel reads. */
export function read<const Buffer extends string>(buffer: Buffer, element: Element = 'u32'): Binding<Buffer> {
  return { access: 'read', element, buffer };
}

/** A binding that the kernel reads and writes, or only writes: WGSL has no write-only access. */
export function readWrite<const Buffer extends string>(buffer: Buffer, element: Element = 'u32'): Binding<Buffer> {
  return { access: 'read_write', element, buffer };
}

/** A binding of atomic u32. */
export function atomic<const Buffer extends string>(buffer: Buffer): Binding<Buffer> {
  return { access: 'atomic', element: 'u32', buffer };
}

/** A binding whose buffer is given by every run of the stage. */
export function given(access: 'read' | 'read_write', element: Element = 'u32'): Binding<undefined> {
  return { access, element, buffer: undefined };
}

/**
 * How a kernel is entered. `threads`: `run(t)` for each thread index t. `workgroups`: `run(t, local)` for every thread
 * of every workgroup, including threads past the end, so that all of them reach the barriers; `local` is the thread's
 * index in its workgroup.
 */
export type Entry = 'threads' | 'workgroups';

/** What a kernel's WGSL and pipeline are made from. */
export interface GpuKernel {
  readonly name: string;
  /** Distinguishes kernels of the same name. */
  readonly variant?: string | undefined;
  readonly entry: Entry;
  /** Threads per workgroup: a divisor of 256, since dispatches are cut at multiples of 256. */
  readonly workgroupSize: 64 | 128 | 256;
  /** The storage bindings, in binding order. In WGSL their names are in snake case. */
  readonly bindings: Readonly<Record<string, Binding>>;
  /** Names of the kernel's own words in `Params`, in order; in WGSL in snake case. All are u32. */
  readonly params: readonly string[];
  /** Constants that TypeScript and WGSL share, under the same name. */
  readonly constants: Readonly<Record<string, number>>;
  /** Names the arithmetic to put before the kernel; the code that composes the WGSL defines its meaning. */
  readonly arithmetic?: string | undefined;
  /** WGSL that the kernel shares with others. */
  readonly libraries: readonly string[];
  /** The algorithm: `fn run`, and what it calls. */
  readonly shader: string;
}

/**
 * One run of a kernel over the threads `first` to `end` - 1; it may be split into several WebGPU dispatches, at
 * multiples of 256.
 */
export interface Dispatch<Buffer extends string = string> {
  readonly kernel: GpuKernel;
  readonly first: number;
  readonly end: number;
  /** The kernel's own words of `Params`, in the order of their declaration. */
  readonly params: readonly number[];
  /** The buffers of the storage bindings, in the order of their declaration. */
  readonly buffers: readonly (Buffer | GPUBuffer)[];
  /** The work of one thread, in the unit of `Pace`, by which submits are sized. */
  readonly cost: number;
}

/** A stage without its dispatches. */
export interface SizedKernel<Buffer extends string, Plan> extends GpuKernel {
  /** Bytes of the buffers that the stage writes. */
  bytes(plan: Plan): Partial<Record<Buffer, number>>;
}

/** A stage of a computation. `Work` describes what a run has to do. */
export interface Stage<Buffer extends string, Plan, Work> extends SizedKernel<Buffer, Plan> {
  dispatches(work: Work): Dispatch<Buffer>[];
}

/** Names of the bindings whose buffer every run gives. */
type GivenNames<Bindings> = {
  [Name in keyof Bindings]: Bindings[Name] extends Binding<undefined> ? Name : never;
}[keyof Bindings];

/** One run of a stage, with parameters and buffers by their names. */
export type Run<Buffer extends string, Bindings, Param extends string> = {
  readonly first: number;
  readonly end: number;
  readonly params: Readonly<Record<Param, number>>;
  readonly cost: number;
} & ([GivenNames<Bindings>] extends [never]
  ? unknown
  : { readonly buffers: Readonly<Record<GivenNames<Bindings>, Buffer | GPUBuffer>> });

export interface StageDeclaration<
  Buffer extends string,
  Plan,
  Arithmetic extends string,
  Bindings extends Readonly<Record<string, Binding<Buffer | undefined>>>,
  Param extends string,
  Work,
> {
  readonly name: string;
  readonly variant?: string;
  readonly entry: Entry;
  readonly workgroupSize: 64 | 128 | 256;
  readonly bindings: Bindings;
  readonly params: readonly Param[];
  readonly constants?: Readonly<Record<string, number>>;
  readonly arithmetic?: Arithmetic;
  readonly libraries?: readonly string[];
  readonly shader: string;
  /** Left out if other stages declare the bytes of all buffers that it writes. */
  readonly bytes?: (plan: Plan) => Partial<Record<Buffer, number>>;
  readonly dispatches: (work: Work) => readonly Run<Buffer, NoInfer<Bindings>, NoInfer<Param>>[];
}

/**
 * Returns a function that turns declarations into stages, for one set of scratch buffers, one type of plan and one
 * choice of arithmetic.
 */
export function stageDefiner<Buffer extends string, Plan, Arithmetic extends string = never>() {
  return <
    const Bindings extends Readonly<Record<string, Binding<Buffer | undefined>>>,
    const Param extends string,
    Work,
  >(
    declaration: StageDeclaration<Buffer, Plan, Arithmetic, Bindings, Param, Work>,
  ): Stage<Buffer, Plan, Work> => {
    const { dispatches, bytes = () => ({}), constants = {}, libraries = [], ...rest } = declaration;
    if (rest.params.length > MAX_PARAMS) {
      throw new RangeError(`expected at most ${MAX_PARAMS} parameters of ${rest.name}, got ${rest.params.length}`);
    }
    const kernel: SizedKernel<Buffer, Plan> = { ...rest, bytes, constants, libraries };
    const bindings = Object.entries<Binding<Buffer | undefined>>(rest.bindings);
    const dispatchOf = (run: Run<Buffer, Bindings, Param>): Dispatch<Buffer> => {
      const own = 'buffers' in run ? (run.buffers as Readonly<Record<string, Buffer | GPUBuffer>>) : {};
      return {
        kernel: stage,
        first: run.first,
        end: run.end,
        params: rest.params.map((name) => run.params[name]),
        buffers: bindings.map(([name, { buffer }]) => buffer ?? own[name]!),
        cost: run.cost,
      };
    };
    const stage: Stage<Buffer, Plan, Work> = { ...kernel, dispatches: (work) => dispatches(work).map(dispatchOf) };
    return stage;
  };
}

export const U32_BYTES = 4;
