// Parses JSON that users type, with the position of each problem.
import type { Node, ParseError } from 'jsonc-parser';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import { checkFields } from './draft.ts';
import type { RecordFields, RecordKind } from './record-kind.ts';

export type JsonProblem = {
  /** From 1. */
  line: number;
  /** Start and length of the problem in UTF-16 code units, to select it. */
  offset: number;
  length: number;
  message: string;
};

type ReadJson = { fields: RecordFields } | { problems: JsonProblem[] };

export const readJson = (kind: RecordKind, text: string): ReadJson => {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (errors.length > 0 || !tree) {
    const problems = errors.map(({ error, offset, length }) =>
      toProblem(text, offset, length, describe(printParseErrorCode(error))),
    );
    return { problems: problems.length > 0 ? problems : [toProblem(text, 0, 0, 'JSON expected.')] };
  }
  const fields: unknown = JSON.parse(text);
  if (tree.type !== 'object')
    return { problems: [toProblem(text, 0, 1, 'An object is expected.')] };
  const problems = checkFields(kind.schema, fields as RecordFields).map(({ loc, msg }) => {
    const place = loc.slice(1);
    const node = findNodeAtLocation(tree, place) ?? findNodeAtLocation(tree, place.slice(0, -1));
    const words = [place.join('.'), `${msg}.`].filter((part) => part !== '').join(': ');
    return toProblem(text, node?.offset ?? 0, node?.length ?? 1, words);
  });
  const all = [...findStrayKeys(kind, text, tree), ...problems];
  return all.length > 0 ? { problems: all } : { fields: fields as RecordFields };
};

/** Rejects unknown fields, which would be ignored, and duplicate names, of which only the last would be used. */
const findStrayKeys = (kind: RecordKind, text: string, tree: Node): JsonProblem[] => {
  const data = findNodeAtLocation(tree, ['custom_data']);
  const [top, custom] = [listKeys(tree), listKeys(data)];
  const unknown = top.filter(({ value }) => !kind.fields.includes(value));
  const repeated = [...findRepeated(top), ...findRepeated(custom)];
  const at = ({ offset, length }: Node, message: string) =>
    toProblem(text, offset, length, message);
  return [
    ...unknown.map((key) => at(key, `${kind.many} have no field "${key.value}".`)),
    ...repeated.map((key) => at(key, `"${key.value}" occurs more than once.`)),
  ];
};

const listKeys = (object: Node | undefined): Node[] =>
  object?.type === 'object'
    ? (object.children ?? []).flatMap(({ children = [] }) => children.slice(0, 1))
    : [];

const findRepeated = (keys: readonly Node[]): Node[] =>
  keys.filter(({ value }, index) => keys.findIndex((key) => key.value === value) < index);

const toProblem = (text: string, offset: number, length: number, message: string): JsonProblem => ({
  line: text.slice(0, offset).split('\n').length,
  offset,
  length,
  message,
});

const LABELS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not JSON: text needs quotes.',
  InvalidNumberFormat: 'This is not a number.',
  PropertyNameExpected: 'A field name in double quotes is expected.',
  ValueExpected: 'A value is expected.',
  ColonExpected: 'A colon is expected.',
  CommaExpected: 'A comma is expected.',
  CloseBraceExpected: 'A closing } is expected.',
  CloseBracketExpected: 'A closing ] is expected.',
  EndOfFileExpected: 'The JSON ends before this.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfString: 'The closing quote is missing.',
};

const describe = (code: string): string => LABELS[code] ?? `This is not JSON (${code}).`;

/** Indents with two spaces, but writes each threshold on one line, so that a thousand levels remain readable. */
export const writeJson = (fields: RecordFields): string =>
  JSON.stringify(fields, null, 2).replace(
    /\{\n\s+"level": ([^\n]+),\n\s+"xp": ([^\n]+)\n\s+\}/g,
    '{ "level": $1, "xp": $2 }',
  );
