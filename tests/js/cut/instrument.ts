/** Programs that can be cut off anywhere: copies that call `$cut` at every place where an engine may end a call, and at more. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type typescript from "typescript";
import { compiler } from "../support/compiler.ts";
import { root } from "../support/places.ts";

const ts = compiler("typescript");

/** The function that holds the core as JavaScript (xtask/lib/translate.mjs). */
const TRANSLATED = "translated";

/**
 * Inserts calls of `$cut` into a program: before each statement and each part of a comma expression, and in the core as JavaScript
 * where a block begins. There, what stands in one block is stored as a whole: engines look for a reason to end a call only where a
 * function or a round of a loop begins.
 */
export function instrumented(source: string): string {
  const file = ts.createSourceFile("program.js", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const { transformed } = ts.transform(file, [
    (context) => (sourceFile) => {
      const visit = new Instrument(context);
      return ts.visitEachChild(sourceFile, (node) => visit.node(node, false, false), context);
    },
  ]);
  return ts.createPrinter().printFile(transformed[0] as typescript.SourceFile);
}

class Instrument {
  readonly #factory: typescript.NodeFactory;
  readonly #context: typescript.TransformationContext;

  constructor(context: typescript.TransformationContext) {
    this.#context = context;
    this.#factory = context.factory;
  }

  #call = () =>
    this.#factory.createCallExpression(this.#factory.createIdentifier("$cut"), undefined, undefined);
  #statement = () => this.#factory.createExpressionStatement(this.#call());

  /** `inside`: within a function. `core`: within the core as JavaScript. */
  node(node: typescript.Node, inside: boolean, core: boolean): typescript.Node {
    const factory = this.#factory;
    const inCore = core || (ts.isFunctionDeclaration(node) && node.name?.text === TRANSLATED);
    const within = inside || ts.isFunctionLike(node);
    const deeper = ts.visitEachChild(node, (child) => this.node(child, within, inCore), this.#context);
    if (ts.isArrowFunction(deeper) && !ts.isBlock(deeper.body)) {
      const body = factory.createParenthesizedExpression(factory.createComma(this.#call(), deeper.body));
      return factory.updateArrowFunction(
        deeper,
        deeper.modifiers,
        deeper.typeParameters,
        deeper.parameters,
        deeper.type,
        deeper.equalsGreaterThanToken,
        body,
      );
    }
    const isComma = ts.isBinaryExpression(deeper) && deeper.operatorToken.kind === ts.SyntaxKind.CommaToken;
    if (isComma && within && !inCore) {
      return factory.createComma(factory.createComma(deeper.left, this.#call()), deeper.right);
    }
    if (ts.isBlock(deeper) && within) {
      return factory.updateBlock(deeper, this.#counted(deeper.statements, inCore));
    }
    if (ts.isCaseOrDefaultClause(deeper) && within) {
      const statements = this.#counted(deeper.statements, inCore);
      return ts.isCaseClause(deeper)
        ? factory.updateCaseClause(deeper, deeper.expression, statements)
        : factory.updateDefaultClause(deeper, statements);
    }
    return this.#withBlocks(deeper, within);
  }

  /** Makes a block of a statement that is the arm of an `if` or the body of a loop. */
  #withBlocks(node: typescript.Node, within: boolean): typescript.Node {
    const factory = this.#factory;
    const block = (statement: typescript.Statement) =>
      ts.isBlock(statement) || ts.isIfStatement(statement)
        ? statement
        : factory.createBlock([this.#statement(), statement]);
    if (!within) return node;
    if (ts.isIfStatement(node)) {
      const otherwise = node.elseStatement && block(node.elseStatement);
      return factory.updateIfStatement(node, node.expression, block(node.thenStatement), otherwise);
    }
    if (ts.isForStatement(node)) {
      const { initializer, condition, incrementor, statement } = node;
      return factory.updateForStatement(node, initializer, condition, incrementor, block(statement));
    }
    if (ts.isForOfStatement(node)) {
      const { awaitModifier, initializer, expression, statement } = node;
      return factory.updateForOfStatement(node, awaitModifier, initializer, expression, block(statement));
    }
    if (ts.isWhileStatement(node)) {
      return factory.updateWhileStatement(node, node.expression, block(node.statement));
    }
    return node;
  }

  #counted(statements: readonly typescript.Statement[], core: boolean): typescript.Statement[] {
    const parts = (statement: typescript.Statement, before: typescript.Statement | undefined) =>
      !core || before === undefined || branches(before) ? [this.#statement(), statement] : [statement];
    const all = statements.flatMap((statement, i) => parts(statement, statements[i - 1]));
    return all.length === 0 ? [this.#statement()] : all;
  }
}

const branches = (node: typescript.Statement): boolean =>
  ts.isIfStatement(node) ||
  ts.isIterationStatement(node, true) ||
  ts.isBlock(node) ||
  ts.isSwitchStatement(node);

/** The core as WebAssembly, with the counter of `xtask/src/cuts.rs`. */
export function instrumentedModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const directory = mkdtempSync(join(tmpdir(), "graupel-cut-"));
  const [given, made] = [join(directory, "given.wasm"), join(directory, "made.wasm")];
  try {
    writeFileSync(given, bytes);
    const helper = join(root, "target", "debug", process.platform === "win32" ? "xtask.exe" : "xtask");
    execFileSync(helper, ["cuts", given, made]);
    return new Uint8Array(readFileSync(made));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
