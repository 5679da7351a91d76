/** A function's signature in the table of exports. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
}

/** Reads `name(parameter: type, ..): type`. */
export function parseSignature(text: string): Signature {
  const match = /^(\w+)\(([^)]*)\): (\w+)$/.exec(text);
  if (match === null) throw new Error(`expected a signature of the form name(parameter: type): type, got ${text}`);
  const [, name, given, result] = match;
  const parameters = given!
    .split(', ')
    .filter((parameter) => parameter !== '')
    .map((parameter) => {
      const [parameterName, type] = parameter.split(': ');
      return { name: parameterName!, type: type! };
    });
  return { name: name!, parameters, result: result! };
}
