// JSON with the places of its parts, so that a finding can name file, line and column.
import type { ValueNode } from '@humanwhocodes/momoa';
import { evaluate, parse } from '@humanwhocodes/momoa';
import type { Place } from '../findings.ts';

export type JsonPath = readonly (string | number)[];

export type JsonDocument = {
  value: unknown;
  /** The place of what the path names, or of the nearest thing around it that exists. */
  locate: (path: JsonPath) => Place;
};

type JsonProblem = { message: string; place: Place };

/** Parses strict JSON (RFC 8259), with or without a byte order mark. */
export const parseJson = (
  text: string,
  file: string,
): { document: JsonDocument } | { problem: JsonProblem } => {
  try {
    const { body } = parse(text.replace(/^\uFEFF/, ''), { mode: 'json' });
    return {
      document: {
        value: evaluate(body),
        locate: (path) => {
          const { line, column } = nodeAt(body, path).loc.start;
          return { file, line, column };
        },
      },
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: toProblem(error, file) };
  }
};

const nodeAt = (root: ValueNode, path: JsonPath): ValueNode => {
  let node = root;
  for (const part of path) {
    const inner = childOf(node, part);
    if (!inner) break;
    node = inner;
  }
  return node;
};

const childOf = (node: ValueNode, part: string | number): ValueNode | undefined => {
  if (node.type === 'Array') return node.elements[Number(part)]?.value;
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => name.type === 'String' && name.value === String(part))
    ?.value;
};

/** The parser ends its messages with the place, which the finding names by itself. */
const toProblem = (
  error: Error & { line?: number; column?: number },
  file: string,
): JsonProblem => ({
  message: error.message.replace(/\s*\(\d+:\d+\)$/, '').replace(/\.?$/, '.'),
  place: {
    file,
    ...(error.line !== undefined && { line: error.line }),
    ...(error.column !== undefined && { column: error.column }),
  },
});
