import ts from 'typescript'

export const MUTATIONS = [
  'boundary off by one',
  'comparison flipped',
  'condition flipped',
  'sign flipped',
  'guard removed',
] as const
export type Mutation = (typeof MUTATIONS)[number]

/** One change of a source file that its tests must notice. */
export interface Mutant {
  readonly mutation: Mutation
  readonly line: number
  readonly original: string
  /** The text of the file with the change. */
  readonly text: string
}

const BINARY: Readonly<Partial<Record<ts.SyntaxKind, readonly [Mutation, string][]>>> = {
  [ts.SyntaxKind.LessThanToken]: [
    ['boundary off by one', '<='],
    ['comparison flipped', '>='],
  ],
  [ts.SyntaxKind.LessThanEqualsToken]: [
    ['boundary off by one', '<'],
    ['comparison flipped', '>'],
  ],
  [ts.SyntaxKind.GreaterThanToken]: [
    ['boundary off by one', '>='],
    ['comparison flipped', '<='],
  ],
  [ts.SyntaxKind.GreaterThanEqualsToken]: [
    ['boundary off by one', '>'],
    ['comparison flipped', '<'],
  ],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: [['comparison flipped', '!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: [['comparison flipped', '===']],
  [ts.SyntaxKind.AmpersandAmpersandToken]: [['condition flipped', '||']],
  [ts.SyntaxKind.BarBarToken]: [['condition flipped', '&&']],
  [ts.SyntaxKind.PlusToken]: [['sign flipped', '-']],
  [ts.SyntaxKind.MinusToken]: [['sign flipped', '+']],
  [ts.SyntaxKind.PlusEqualsToken]: [['sign flipped', '-=']],
  [ts.SyntaxKind.MinusEqualsToken]: [['sign flipped', '+=']],
}

/** Lists the mutants of a source file, in the order of their positions. */
export function findMutants(fileName: string, source: string): readonly Mutant[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []

  function add(mutation: Mutation, node: ts.Node, replacement: string): void {
    const start = node.getStart(file)
    mutants.push({
      mutation,
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      original: source.slice(start, node.end).split('\n')[0] ?? '',
      text: source.slice(0, start) + replacement + source.slice(node.end),
    })
  }

  function visit(node: ts.Node): void {
    if (ts.isBinaryExpression(node) && !isText(node.left) && !isText(node.right)) {
      for (const [mutation, replacement] of BINARY[node.operatorToken.kind] ?? []) {
        add(mutation, node.operatorToken, replacement)
      }
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
      add('sign flipped', node, node.operand.getText(file))
    }
    if (ts.isIfStatement(node) && isGuard(node)) add('guard removed', node, ';')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return mutants
}

/** True for a text, which `+` concatenates. */
function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** True for `if (…) return …`. A thrown error is an assertion, which no test can reach. */
function isGuard({ thenStatement, elseStatement }: ts.IfStatement): boolean {
  if (elseStatement !== undefined) return false
  if (!ts.isBlock(thenStatement)) return ts.isReturnStatement(thenStatement)
  const last = thenStatement.statements.at(-1)
  return last !== undefined && ts.isReturnStatement(last)
}
