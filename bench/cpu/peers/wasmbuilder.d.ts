/**
 * What the benchmark uses of wasmbuilder, with which wasmcurves makes its modules. A function's code is given as nested
 * lists.
 */
declare module 'wasmbuilder' {
  type Code = readonly unknown[];
  export interface CodeBuilder {
    setLocal(name: string, value: Code): Code;
    getLocal(name: string): Code;
    i32_const(value: number): Code;
    i32_add(a: Code, b: Code): Code;
    i32_ne(a: Code, b: Code): Code;
    call(name: string, ...args: Code[]): Code;
    loop(...body: Code[]): Code;
    br_if(depth: number, condition: Code): Code;
  }
  export interface FunctionBuilder {
    addParam(name: string, type: 'i32'): void;
    getCodeBuilder(): CodeBuilder;
    addCode(...code: Code[]): void;
  }
  export interface ModuleBuilder {
    addFunction(name: string): FunctionBuilder;
    exportFunction(name: string): void;
  }
}
