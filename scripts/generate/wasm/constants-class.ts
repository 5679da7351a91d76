/** A constant: an address unless its type is given. */
export interface ClassConstant {
  readonly name: string;
  readonly type?: 'i32' | 'bool' | undefined;
  readonly comment: string;
  /** AssemblyScript text. */
  readonly value: string;
}

/** The text of an AssemblyScript class whose getters give constants: a type argument of generic code, at no cost. */
export function constantsClass(name: string, comment: string, constants: readonly ClassConstant[]): string {
  const named = (constant: ClassConstant): string =>
    `${name}_${constant.name}`.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
  const addresses = constants.filter(({ type }) => type === undefined);
  return `${addresses.map((constant) => `const ${named(constant)}: usize = ${constant.value};\n`).join('')}
/** ${comment} */
@unmanaged
export class ${name} {
${constants
  .map(
    (constant) => `  /** ${constant.comment} */
  @inline get ${constant.name}(): ${constant.type ?? 'usize'} { return ${constant.type === undefined ? named(constant) : constant.value}; }
`,
  )
  .join('\n')}}
`;
}
