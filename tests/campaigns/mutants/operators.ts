import ts from 'typescript';

/** One small change of a source file, as somebody could make it by mistake. */
export interface Mutant {
  /** What is changed, and the line that it is in: unique within the file, and the same as long as the line is. */
  readonly name: string;
  readonly line: number;
  /** The range of characters that `replacement` takes the place of. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The most characters of code in a name. */
const SHOWN = 100;

/** Other operators in place of some: a boundary moved, an operation inverted. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
};

const METHODS: Readonly<Record<string, string>> = { every: 'some', some: 'every', min: 'max', max: 'min' };

/**
 * The mutants of a TypeScript file, from its syntax alone: conditions that always or never hold, one side of `&&`, `||`
 * and `??` left out, other operators, other constants, statements and early returns left out. Texts of messages and
 * what is only a type have none.
 */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const names = new Map<string, number>();
  const add = (node: ts.Node, replacement: string, what: string): void => {
    const start = node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(start).line;
    const base = `${what} in: ${shown(source.split('\n')[line]!)}`;
    const before = names.get(base) ?? 0;
    names.set(base, before + 1);
    const name = before === 0 ? base : `${base} (${before + 1})`;
    found.push({ name, line: line + 1, start, end: node.getEnd(), replacement });
  };
  const condition = (node: ts.Expression): void => {
    const text = shown(node.getText(file));
    for (const value of ['true', 'false']) add(node, value, `${text} -> ${value}`);
  };
  const visit = (node: ts.Node): void => {
    if (hasNoMutants(node)) return;
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      condition(ts.isIfStatement(node) ? node.expression : node.condition);
    } else if (isStatementToLeaveOut(node)) {
      add(node, ';', `${shown(node.getText(file))} left out`);
    } else if (ts.isBinaryExpression(node)) {
      binary(node);
    } else if (isNumber(node)) {
      const text = node.getText(file);
      add(node, `(${text} + 1${ts.isBigIntLiteral(node) ? 'n' : ''})`, `${text} -> ${text} + 1`);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      const other = String(node.kind === ts.SyntaxKind.FalseKeyword);
      add(node, other, `${node.getText(file)} -> ${other}`);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      if (!isWholeCondition(node))
        add(node, `(${node.operand.getText(file)})`, `${shown(node.getText(file))} without !`);
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      const other = Object.hasOwn(METHODS, name.text) ? METHODS[name.text] : undefined;
      if (other !== undefined) add(name, other, `${name.text} -> ${other}`);
    }
    ts.forEachChild(node, visit);
  };
  const binary = (node: ts.BinaryExpression): void => {
    const { left, right, operatorToken } = node;
    const operator = operatorToken.getText(file);
    if (operator === '&&' || operator === '||') {
      add(node, left.getText(file), `${operator} ${shown(right.getText(file))} left out`);
      add(node, right.getText(file), `${shown(left.getText(file))} ${operator} left out`);
    } else if (operator === '??') {
      add(node, left.getText(file), `?? ${shown(right.getText(file))} left out`);
    } else if (Object.hasOwn(OPERATORS, operator) && !joinsText(node)) {
      const isEquality = operator.length === 3 && operator.endsWith('==');
      if (isEquality && isWholeCondition(node)) return;
      add(operatorToken, OPERATORS[operator]!, `${operator} -> ${OPERATORS[operator]}`);
    }
  };
  visit(file);
  return found;
}

/** The text of a file with one mutant in it. */
export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Code on one line, cut where it is long. */
function shown(code: string): string {
  const text = code.trim().replaceAll(/\s+/g, ' ');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** What is not code that runs, or only words a message. */
function hasNoMutants(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isTemplateExpression(node)) return true;
  return ts.isNewExpression(node) && /Error$/.test(node.expression.getText());
}

/**
 * A statement whose absence is no other mutant: the only one of an `if` goes with its condition, and the last return is
 * the function's value.
 */
function isStatementToLeaveOut(node: ts.Node): node is ts.Statement {
  if (!ts.isExpressionStatement(node) && !ts.isThrowStatement(node) && !ts.isReturnStatement(node)) return false;
  const { parent } = node;
  const isOnly = ts.isBlock(parent) && parent.statements.length === 1;
  const holder = isOnly ? parent.parent : parent;
  if (ts.isIfStatement(holder) && holder.elseStatement === undefined) return false;
  if (!ts.isReturnStatement(node)) return true;
  return ts.isBlock(parent) && !ts.isFunctionLike(parent.parent);
}

function isNumber(node: ts.Node): node is ts.NumericLiteral | ts.BigIntLiteral {
  return ts.isNumericLiteral(node) || ts.isBigIntLiteral(node);
}

/** Whether an expression is all of a condition, which is mutated as such. */
function isWholeCondition(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  );
}

/** Whether `+` joins texts rather than adds numbers. */
function joinsText({ left, right }: ts.BinaryExpression): boolean {
  return [left, right].some(
    (side) =>
      ts.isStringLiteralLike(side) || ts.isTemplateExpression(side) || (ts.isBinaryExpression(side) && joinsText(side)),
  );
}
